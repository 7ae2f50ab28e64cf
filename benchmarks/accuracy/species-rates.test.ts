import { apcer, passing, upperBound, worstOf } from './species-rates.mjs';

const species = (name: string, count: number, standard: number, strict = 0) => ({
  species: name,
  count,
  standard: { live: standard },
  strict: { live: strict },
});
const puppets = [species('mesh', 30, 3), species('side', 4, 3, 1), species('bent', 6, 0)];

test('the APCER of several species is that of the worst one, with its own interval', () => {
  const [figure] = apcer('puppets', puppets, 'standard', 30);
  expect(figure).toMatchObject({ what: 'APCER, puppets', value: 75, target: 30 });
  // Clopper and Pearson's interval of 3 in 4: 19.41 to 99.37 %.
  expect(figure?.sample).toEqual({
    n: 4,
    hits: 3,
    items: 'presentations of the worst of 3 species, side',
    interval: [expect.closeTo(19.41, 2), expect.closeTo(99.37, 2)],
  });
  expect(apcer('puppets', puppets, 'strict', 5)[0]?.value).toBe(25);
  expect(apcer('puppets', [], 'strict', 5)).toEqual([]);
});

test('the species with the fewest presentations is the worst of those that never pass', () => {
  const none = [species('print', 30, 0), species('screen', 10, 0)];
  expect(worstOf(none, 'standard').species).toBe('screen');
  // None of 10: 1 - 0.05^(1/10).
  expect(upperBound('prints', none)[0]?.value).toBeCloseTo(25.89, 2);
});

test('the share over all species is no APCER', () => {
  const [figure] = passing('Puppets that pass', puppets, 'standard', 30);
  expect(figure).toMatchObject({ what: 'Puppets that pass', value: 15, sample: { hits: 6, n: 40 } });
});
