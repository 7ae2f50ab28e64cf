import { evaluate } from '../lib/testing';

const modulesFor = (face: object) =>
  evaluate<string[]>(
    "import { modulesFor } from './peers/throughput.mjs';",
    `modulesFor(${JSON.stringify(face)})`,
  );

test('the target is against as many processes as cores', () => {
  const figure = (counts: readonly number[]) =>
    evaluate<{ what: string; value: number }>(
      "import { figureOf } from './peers/throughput.mjs';",
      `figureOf({ operation: 'POST /compare', package: 'human', target: 8, peers: ${JSON.stringify(
        counts.map((processes) => ({ processes, ratio: { median: 8 / processes } })),
      )} })`,
    );
  expect(figure([1, 2])).toMatchObject({
    what: 'POST /compare against 2 processes of human, images per second',
    value: 4,
  });
  expect(figure([1]).what).toBe('POST /compare against one process of human, images per second');
});

test('a peer only computes what our response contains', () => {
  expect(modulesFor({ confidence: 1, boundingBox: {} })).toEqual([]);
  expect(modulesFor({ attributes: { landmarks: [], emotions: [] } })).toEqual(['mesh', 'emotion']);
  expect(modulesFor({ attributes: { pose: {}, ageRange: {}, gender: {} }, passive: {} })).toEqual([
    'mesh',
    'description',
    'antispoof',
    'liveness',
  ]);
});
