import type { Model } from '../../backends/backend';
import { DecodedImage } from '../image/decoded-image';
import { embedFaces } from './embed';
import type { Face } from './face';

const image = new DecodedImage(new Int32Array(64).fill(0xff808080 | 0), 8, 8);
const alignments = [false, true].map((mirrored) => ({
  landmarks: [0, 1],
  positions: [
    [1, 1],
    [3, 1],
  ] as const,
  mirrored,
}));
const face = { mesh: { points: Float32Array.of(2, 2, 4, 2) } } as unknown as Face;

/** A model that gives its chips these vectors, one after the other. */
const modelOf = (...vectors: number[][]) =>
  ({
    spec: { input: { width: 4, height: 4, channels: 3 } },
    run: async () => ({ embedding: Float32Array.from(vectors.flat()) }),
  }) as unknown as Model;

test('the mean of the chips is a unit vector, and the norm is the mean length of their vectors', async () => {
  const model = modelOf([6, 8], [0, 4], [3, 4], [3, 4]);
  const faces = [0, 1].map(() => ({ image, face }));
  const [first, second] = await embedFaces({ model, alignments }, faces);
  const length = Math.hypot(6, 12);
  expect([...(first?.embedding ?? [])]).toEqual([6, 12].map((value) => Math.fround(value / length)));
  expect(first?.norm).toBe(7);
  expect(second?.norm).toBe(5);
});
