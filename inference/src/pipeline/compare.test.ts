import { candidatesIn, compare } from './compare';
import type { Description } from './operations';

const calibration = {
  source: 'test',
  curve: [
    [0, 1],
    [1, 0],
  ] as const,
};
const along = (angle: number) => Float32Array.of(Math.cos(angle), Math.sin(angle));

/** Faces whose embeddings point along angles in radians. */
const people = (...angles: number[]): Description => ({
  faces: angles.map((angle) => ({
    confidence: 0.9,
    boundingBox: { left: angle, top: 0, width: 0.1, height: 0.1 },
    quality: { brightness: 0.5, sharpness: 0.5 },
    embedding: along(angle),
  })),
});

test('compares the largest source face with every target face, most similar first', () => {
  const result = compare(people(0.2, 1.5), people(1.5, 0.2, 0.5), { calibration });
  if (!result.ok) throw new Error('a face is missing');
  expect(result.source.boundingBox.left).toBe(0.2);
  expect(result.targets.map(({ boundingBox }) => boundingBox.left)).toEqual([0.2, 0.5, 1.5]);
  expect(result.targets[0]?.similarity).toBeCloseTo(1);
  expect(result.targets[1]?.similarity).toBeCloseTo(Math.cos(0.3));
});

test('a comparison contains no embedding', () => {
  expect(JSON.stringify(compare(people(0), people(0, 1), { calibration }))).not.toContain('embedding');
});

test('names an image without a face, the source first', () => {
  expect(compare(people(), people(), { calibration })).toEqual({ ok: false, missing: 'source' });
  expect(compare(people(0), people(), { calibration })).toEqual({ ok: false, missing: 'target' });
});

test('in a crowd, the quick embedding selects the faces whose full embedding counts', () => {
  // The third value is the quick embedding, half of the length of the whole.
  const quick = { part: { model: 'quick', weight: 0.5, chips: [] }, start: 2, length: 1, calibration };
  const [source] = people(0).faces;
  if (!source) throw new Error('no face');
  const full = (angle: number) => Float32Array.of(...along(angle).map((x) => x * Math.SQRT1_2), Math.SQRT1_2);
  const alone = { faces: [{ ...source, embedding: full(0) }] };
  const crowd = {
    faces: people(1, 2, 3).faces.map((face, i) => ({
      ...face,
      embedding: Float32Array.of([0.9, 0.1, 0.6][i] as number).map((x) => x * Math.SQRT1_2),
      points: new Float32Array(2),
    })),
  };
  const candidates = candidatesIn(alone, crowd, { calibration, quick });
  expect(candidates.map(({ boundingBox }) => boundingBox.left)).toEqual([1, 3]);
  expect(candidatesIn(alone, alone, { calibration, quick })).toEqual([]);
  const embedded = new Map(candidates.map((face, i) => [face, full([0.5, 0][i] as number)]));
  const result = compare(alone, crowd, { calibration, quick }, embedded);
  if (!result.ok) throw new Error('a face is missing');
  expect(result.targets.map(({ boundingBox }) => boundingBox.left)).toEqual([3, 1, 2]);
  const similarities = result.targets.map(({ similarity }) => similarity);
  [1, (1 + Math.cos(0.5)) / 2, 0.1].forEach((expected, i) => {
    expect(similarities[i]).toBeCloseTo(expected);
  });
  expect(JSON.stringify(result)).not.toMatch('points');
});
