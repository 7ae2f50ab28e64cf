import { pairRates } from './pair-rates.mjs';

const image = (name: string, person: number, angle: number, warnings: string[] = []) => ({
  name,
  person,
  embedding: Float32Array.of(Math.cos(angle), Math.sin(angle)),
  warnings,
});
/** Within 60 degrees. */
const isMatch = (distance: number) => distance <= 0.5;

test('a list compared with itself counts each pair once', () => {
  const images = [image('a1', 0, 0), image('a2', 0, 0.1), image('a3', 0, 2), image('b1', 1, 0.2)];
  const { fnmr, fmr } = pairRates(images, images, isMatch);
  expect(fnmr).toMatchObject({ n: 3, errors: 2, rate: 2 / 3 });
  expect(fmr).toMatchObject({ n: 3, errors: 2, rate: 2 / 3 });
});

test('probes are compared with the references of all other images', () => {
  const references = [image('a1', 0, 0), image('a2', 0, 0), image('b1', 1, 2)];
  const probes = [image('a1', 0, 2), image('a2', 0, 0), image('b1', 1, 2)];
  const { fnmr, fmr } = pairRates(references, probes, isMatch);
  expect(fnmr).toMatchObject({ n: 2, errors: 1 });
  expect(fmr).toMatchObject({ n: 4, errors: 1 });
});

test('an error is silent if neither image has a warning', () => {
  const images = [image('a1', 0, 0), image('b1', 1, 0, ['blur']), image('c1', 2, 0)];
  expect(pairRates(images, images, isMatch).fmr).toMatchObject({ errors: 3, silent: 1 });
});

test('intervals come from drawing people, so a person whose pairs all fail widens them', () => {
  const people = Array.from({ length: 20 }, (_, person) =>
    [0, 1].map((i) => image(`${person}-${i}`, person, 3 * i * Number(person < 2))),
  );
  const images = people.flat();
  const { fnmr, fmr } = pairRates(images, images, isMatch);
  expect(fnmr.rate).toBeCloseTo(0.1);
  expect(fnmr.interval[0]).toBeLessThan(0.1);
  expect(fnmr.interval[1]).toBeGreaterThan(0.1);
  expect(fnmr.interval[1]).toBeLessThan(0.4);
  // All strangers match here, except for those two images.
  const [low, high] = fmr.interval;
  expect(low).toBeLessThan(fmr.rate);
  expect(high).toBeGreaterThan(fmr.rate);
  expect(high).toBeLessThanOrEqual(1);
});
