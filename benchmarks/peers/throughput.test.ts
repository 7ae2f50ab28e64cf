import { evaluate } from '../lib/testing';

const modulesFor = (face: object) =>
  evaluate<string[]>(
    "import { modulesFor } from './peers/throughput.mjs';",
    `modulesFor(${JSON.stringify(face)})`,
  );

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
