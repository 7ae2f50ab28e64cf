import { type cellOf, rateOf, sectionOf } from '../rates.mjs';

type Labeled = Parameters<typeof cellOf>[1][number];

const row = (path: string, rest: Partial<Labeled>): Labeled => ({
  path,
  kind: 'prompted',
  outcome: 'rejected',
  reasons: [],
  confidence: 0.5,
  frames: 40,
  label: 'attack',
  ...rest,
});
const times = (count: number, make: (i: number) => Labeled) =>
  Array.from({ length: count }, (_, i) => make(i));
const attack = (species: string, type: 'presentation' | 'injection', accepted: number, count: number) =>
  times(count, (i) =>
    row(`${species} ${i}`, { type, species, outcome: i < accepted ? 'accepted' : 'rejected' }),
  );

test('APCER is that of each species, and the worst one counts', () => {
  const rows = [
    ...attack('mask', 'presentation', 2, 10),
    ...attack('print', 'presentation', 0, 5),
    ...attack('puppet', 'injection', 3, 3),
    row('covered lens', {
      type: 'presentation',
      species: 'print',
      outcome: 'noResponse',
      reasons: ['unfinished'],
    }),
  ];
  const { presentation, injection, bonaFide } = sectionOf(rows, 'prompted');
  expect(presentation.species.map(({ name }) => name)).toEqual(['mask', 'print']);
  const [mask, print] = presentation.species;
  // Clopper and Pearson's interval of 2 in 10: 2.52 to 55.61 %.
  expect(mask).toMatchObject({ recordings: 10, responses: 10, errors: 2, nonResponses: 0 });
  expect(mask?.errorRate).toEqual({
    rate: 0.2,
    interval: [expect.closeTo(0.0252, 4), expect.closeTo(0.5561, 4)],
  });
  // None of 5: 1 - 0.05^(1/5). The recording without a response is in its own rate, 1 of 6.
  expect(print?.errorRate).toEqual({ rate: 0, interval: [0, expect.closeTo(0.4507, 4)] });
  expect(print).toMatchObject({ recordings: 6, responses: 5, nonResponses: 1 });
  expect(print?.nonResponseRate?.rate).toBeCloseTo(1 / 6);
  expect(presentation.worst?.name).toBe('mask');
  expect(injection.worst).toMatchObject({ name: 'puppet', errorRate: { rate: 1 } });
  expect(bonaFide.all).toMatchObject({ recordings: 0, errorRate: null, nonResponseRate: null });
});

test('BPCER counts bona fide recordings only, by group and device', () => {
  const person = (i: number, rest: Partial<Labeled>) =>
    row(`person ${i}`, { label: 'bonaFide', outcome: 'accepted', ...rest });
  const rows = [
    ...attack('mask', 'presentation', 5, 10),
    person(1, { group: '20-39', device: 'phone' }),
    person(2, { group: '20-39', device: 'phone', outcome: 'rejected', reasons: ['flat'] }),
    person(3, { group: '60-79', device: 'laptop' }),
    person(4, { device: 'laptop', outcome: 'noResponse', reasons: ['unfinished'] }),
  ];
  const { all, groups, devices } = sectionOf(rows, 'prompted').bonaFide;
  expect(all).toMatchObject({
    recordings: 4,
    responses: 3,
    errors: 1,
    nonResponses: 1,
    reasons: [['flat', 1]],
  });
  expect(all.errorRate?.rate).toBeCloseTo(1 / 3);
  expect(groups.map(({ name, responses, errors }) => [name, responses, errors])).toEqual([
    ['20-39', 2, 1],
    ['60-79', 1, 0],
  ]);
  expect(devices).toMatchObject([
    { name: 'laptop', recordings: 2, responses: 1, errorRate: { rate: 0 } },
    { name: 'phone', responses: 2, errorRate: { rate: 0.5 } },
  ]);
});

test('several recordings of one subject widen the interval', () => {
  const same = (subjects: number, hits: (i: number) => boolean) => {
    const rows = times(20, (i) =>
      row(`${i}`, { subject: `S${i % subjects}`, outcome: hits(i) ? 'accepted' : 'rejected' }),
    );
    return rateOf(rows, ({ outcome }) => outcome === 'accepted')?.interval ?? [0, 0];
  };
  // 20 recordings of 2 people without any error show as much as 2 recordings: 1 - 0.05^(1/2).
  expect(same(2, () => false)).toEqual([0, expect.closeTo(0.7764, 4)]);
  expect(same(20, () => false)).toEqual([0, expect.closeTo(0.1391, 4)]);
  const [low, high] = same(20, (i) => i % 4 === 0);
  const [lowOfFew, highOfFew] = same(4, (i) => i % 4 === 0);
  expect(lowOfFew).toBeLessThan(low);
  expect(highOfFew).toBeGreaterThan(high);
});

test('recordings without prompts list the rules that did not judge them', () => {
  const { applied, notApplied } = sectionOf([], 'unprompted').rules;
  expect(applied).toEqual(expect.arrayContaining(['severalFaces', 'screen']));
  expect(notApplied).toEqual(expect.arrayContaining(['missedTurn', 'flat', 'noDepth', 'tooFast']));
  expect(sectionOf([], 'prompted').rules.applied).toEqual(expect.arrayContaining(['flat', 'otherPerson']));
});
