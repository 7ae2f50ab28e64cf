/** Decoding of the detector's map, on maps made by hand; the real model is asked in the tests of the operations. */
import type { Model } from '../../backends/backend';
import { DecodedImage } from '../image/decoded-image';
import { confidenceOf, findViolence, maxScores, weapons } from './objects';

const classes = 80;

/** A map of 2 x 2 cells with scores at [cell, class]. */
function heat(...peaks: [number, number, number][]): Float32Array {
  const map = new Float32Array(4 * classes);
  for (const [cell, place, score] of peaks) map[cell * classes + place] = score;
  return map;
}

test('the most certain object of each weapon counts, regardless of other objects', () => {
  const map = heat([0, 43, 0.2], [3, 43, 0.75], [1, 34, 0.5], [2, 0, 0.99], [2, 42, 0.9], [2, 44, 0.9]);
  expect(weapons.map(({ type }) => type)).toEqual(['Knife', 'Scissors', 'Baseball bat']);
  expect(maxScores(map)).toEqual([0.75, 0, 0.5]);
});

test('confidence rises with the score and is 0.5 at a score of 0.3', () => {
  expect([0, 0.15, 0.3, 0.65, 1].map(confidenceOf)).toEqual([0, 0.25, 0.5, 0.75, 1]);
});

test('each image of a batch gets its own result, most certain weapon first', async () => {
  const maps = [heat([1, 76, 0.65]), heat(), heat([0, 43, 0.3], [2, 76, 0.15])];
  const model: Model = {
    spec: { id: 'maps', path: '', input: { width: 8, height: 8, channels: 3 }, outputs: [] },
    run: async (pixels, batch) => {
      expect(pixels).toHaveLength(batch * 8 * 8 * 3);
      return { heat: Float32Array.from(maps.flatMap((map) => [...map])) };
    },
  };
  const image = DecodedImage.fromRgb(new Uint8Array(3 * 4 * 4), 4, 4);
  const elements = await findViolence(model, [image, image, image]);
  expect(elements.map(({ type }) => type)).toEqual(['Violence', 'Violence', 'Violence']);
  expect(elements[0]?.confidence).toBeCloseTo(0.75, 5);
  expect(elements[0]?.subTypes?.[0]?.type).toBe('Scissors');
  expect(elements[1]?.confidence).toBe(0);
  expect(elements[2]?.subTypes?.map(({ type }) => type)).toEqual(['Knife', 'Scissors', 'Baseball bat']);
  expect(elements[2]?.confidence).toBeCloseTo(0.5, 5);
});
