import { compare } from './compare';
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
