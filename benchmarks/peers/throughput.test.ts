import { evaluate } from '../lib/testing';

const modulesFor = (face: object) =>
  evaluate<string[]>(
    "import { modulesFor } from './peers/throughput.mjs';",
    `modulesFor(${JSON.stringify(face)})`,
  );

test('the bar is against as many processes as there are cores, and says so', () => {
  const bar = (counts: readonly number[]) =>
    evaluate<{ what: string; value: number }>(
      "import { barOf } from './peers/throughput.mjs';",
      `barOf({ operation: 'POST /compare', package: 'human', bar: 8, peers: ${JSON.stringify(
        counts.map((processes) => ({ processes, ratio: { median: 8 / processes } })),
      )} })`,
    );
  expect(bar([1, 2])).toMatchObject({
    what: 'POST /compare against 2 processes of human, images per second',
    value: 4,
  });
  expect(bar([1]).what).toBe('POST /compare against one process of human, images per second');
});

test('a peer is asked for what our answer holds, and for nothing else', () => {
  expect(modulesFor({ confidence: 1, boundingBox: {} })).toEqual([]);
  expect(modulesFor({ attributes: { landmarks: [], emotions: [] } })).toEqual(['mesh', 'emotion']);
  expect(modulesFor({ attributes: { pose: {}, ageRange: {}, gender: {} }, passive: {} })).toEqual([
    'mesh',
    'description',
    'antispoof',
    'liveness',
  ]);
});
