import Ajv from 'ajv';
import type { ServingModels } from '../../serving/serving-models';
import type { AcquiredImage } from './acquire';
import { renderPage } from './page';
import { evaluate } from './report';
import schema from './report.schema.json';

const calibration = {
  source: 'drawn vectors',
  curve: [
    [0, 1],
    [2, 0],
  ],
} as const;
const serving = {
  precision: 'float32',
  manifestData: { calibration },
  origins: [{ id: 'drawn', license: 'CC0', trainingData: 'none' }],
} as unknown as ServingModels;

/** A unit vector at an angle in degrees. The similarity of two is 0.8 at 53 degrees. */
const at = (degrees: number) =>
  Float32Array.of(Math.cos((Math.PI * degrees) / 180), Math.sin((Math.PI * degrees) / 180));

/** Two images of each of 120 people. Those of every tenth old person look different, and all young people look alike. */
const images = Array.from({ length: 240 }, (_, i): AcquiredImage => {
  const person = Math.floor(i / 2);
  const isOld = person < 60;
  const different = isOld && person % 10 === 0 && i % 2 === 1;
  const group = { 0: '', 1: 'rare <b>' }[person] ?? (isOld ? '60-99' : '5-17');
  const face = isOld ? at(3 * person + (different ? 120 : 0)) : at(270);
  return { path: '', person: `p${person}`, line: i + 2, groups: [group], faces: [face] };
});
const failed: AcquiredImage[] = [
  { ...(images[20] as AcquiredImage), line: 300, faces: [] },
  { ...(images[20] as AcquiredImage), line: 301, faces: undefined },
  { ...(images[20] as AcquiredImage), line: 302, faces: [at(30), at(200)] },
];
const options = { columns: ['age'], serving, maxPairs: 1_000_000, now: new Date('2026-11-23T12:00:00Z') };
const { report } = evaluate([...images, ...failed], options);
const [column] = report.columns;

test('matches its schema', () => {
  const validate = new Ajv({ allowUnionTypes: true }).compile(schema);
  validate(JSON.parse(JSON.stringify(report)));
  expect(validate.errors).toBeNull();
});

test('has rates at the thresholds of the contract', () => {
  expect(report.defaultThreshold).toBe(0.8);
  expect(report.overall.rates.map(({ threshold }) => threshold)).toEqual([0.7, 0.8, 0.9]);
});

test('has each group, in the order of its numbers, with images and failures', () => {
  expect(column?.groups.map(({ group, people, images }) => [group, people, images])).toEqual([
    ['5-17', 60, 120],
    ['60-99', 58, 119],
    ['rare <b>', 1, 2],
  ]);
  expect(column?.unlabeled).toBe(2);
  const { failures } = column?.groups[1] ?? {};
  expect([failures?.noFace.images, failures?.unreadable.images, failures?.severalFaces.images]).toEqual([
    1, 1, 1,
  ]);
  expect(failures?.noFace.rate?.rate).toBeCloseTo(1 / 119);
});

test('finds the group with the higher rate', () => {
  const [young, old, rare] = column?.groups ?? [];
  expect(young?.rates[1]?.falseMatch?.rate).toBe(1);
  // 60-99 lacks the first person, whose images look different, too. The added image of two faces is similar to both.
  expect(old?.rates[1]?.falseNonMatch?.errors).toBe(5);
  expect(young?.rates[1]?.falseNonMatch).toMatchObject({ errors: 0, rate: 0 });
  expect(rare?.rates[1]).toMatchObject({ falseMatch: null, falseNonMatch: null });
  expect(column?.spread[1]).toMatchObject({
    threshold: 0.8,
    falseMatch: { worst: '5-17', best: '60-99', separate: true },
    falseNonMatch: { worst: '60-99', best: '5-17', ratio: null },
  });
});

test('compares the pairs of a list, except for images without a face', () => {
  const people = images.slice(0, 4);
  const noFace = { ...(images[4] as AcquiredImage), faces: [] };
  const pairs = [
    [0, 1],
    [0, 4],
    [3, 0],
  ] as const;
  const listed = evaluate([...people, noFace], { ...options, pairs, set: 'drawn' });
  expect(listed.report).toMatchObject({
    set: 'drawn',
    pairs: { genuine: { existing: 1, compared: 1 }, impostor: { existing: 1, compared: 1 } },
    overall: { images: 5, failures: { noFace: { images: 1 } } },
  });
  expect([[...listed.pairs.source], [...listed.pairs.target]]).toEqual([
    [0, 3],
    [1, 0],
  ]);
  expect(renderPage(listed.report)).toContain('The pairs are those of the lists of drawn.');
});

describe('the page', () => {
  const html = renderPage(report);

  test('escapes names and loads nothing', () => {
    expect(html).toContain('rare &lt;b&gt;');
    expect(html).not.toContain('<b>');
    expect(html).not.toMatch(/<script|<link|<img|@import|url\(|https?:/);
  });

  test('says how many pairs were compared', () => {
    expect(html).toContain(
      '<p>122 pairs of one person, from 120 people, and 28,798 pairs of different people',
    );
    const sampled = evaluate(images, { ...options, maxPairs: 100 }).report;
    expect(renderPage(sampled)).toContain('and a sample of 100 of 28,560 pairs of different people');
  });

  test('has a number for each rate, or says that the people are too few', () => {
    const rowOf = (group: string) =>
      [...html.matchAll(/<tr><th scope="row">(.*?)<\/th>(.*?)<\/tr>/g)]
        .filter(([, head]) => head === group)
        .map(([, , cells = '']) => cells.replace(/<[^>]*>/g, ''));
    const [counts, falseMatch, falseNonMatch] = rowOf('5-17');
    expect(counts).toMatch(/^60120/);
    expect(falseMatch).toBe('100 % [100 to 100]'.repeat(3));
    expect(falseNonMatch).toMatch(/^(0 % \[0 to 4.9\]){3}$/);
    expect(rowOf('rare &lt;b&gt;').slice(1)).toEqual([
      'too few to say'.repeat(3),
      'too few to say'.repeat(3),
    ]);
  });
});
