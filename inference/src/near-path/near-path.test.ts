import sharp from 'sharp';
import { differencesOf, generalPath, openNearPath } from '../../test/near-paths';
import { photo } from '../../test/photos';
import { decodeImage } from '../pipeline/image/decode';
import { DecodedImage } from '../pipeline/image/decoded-image';
import { type FindAndEmbedOptions, findAndEmbed } from './find-and-embed';
import type { NearFace, NearPath } from './near-path';

let nearPath: NearPath;
let general: FindAndEmbedOptions;
beforeAll(async () => {
  nearPath = await openNearPath('cpu');
  general = await generalPath();
});
afterAll(() => nearPath.close());

const window = { left: 291, top: 330, width: 440, height: 330 };

/** One face of the first photo, at some width in pixels. */
async function portrait(width: number, turned = 0): Promise<DecodedImage> {
  const cut = await sharp(photo(1)).extract(window).toBuffer();
  return decodeImage(await sharp(cut).rotate(turned).resize(width).png().toBuffer(), 1536);
}

test('faces of portraits of any size and roll equal those of the general path, in a batch and alone', async () => {
  const images = await Promise.all([portrait(250), portrait(1300), portrait(440, 40)]);
  const expected = await findAndEmbed(images, general);
  const alone = await Promise.all(images.map(async (image) => (await nearPath.run([image]))[0]));
  for (const actual of [await nearPath.run(images), alone]) {
    images.forEach((image, i) => {
      const [own, face] = [actual[i], expected[i]?.[0]];
      if (!own || !face) throw new Error('No face');
      expect(expected[i]).toHaveLength(1);
      for (const difference of Object.values(differencesOf(own, face, image))) {
        expect(difference).toBeLessThan(1e-3);
      }
      expect(Math.hypot(...own.embedding)).toBeCloseTo(1);
    });
  }
});

const mixed = () =>
  Promise.all([
    new DecodedImage(new Int32Array(320 * 240).fill(0xff808080 | 0), 320, 240),
    decodeImage(photo(1), 1536),
    portrait(440),
    portrait(15),
  ]);

test('images without a near face, with several faces or too small need the general path', async () => {
  const faces = await nearPath.run(await mixed());
  expect(faces.map((face) => face !== undefined)).toEqual([false, false, true, false]);
});

test('images that need either path get their own faces', async () => {
  const images = await mixed();
  const expected = await findAndEmbed(images, general);
  const actual = await findAndEmbed(images, { ...general, nearPath });
  expect(actual.map((faces) => faces.length)).toEqual([0, 3, 1, 0]);
  images.forEach((image, i) => {
    actual[i]?.forEach((face, k) => {
      const differences = differencesOf(face, expected[i]?.[k] as NearFace, image);
      expect(Math.max(...Object.values(differences))).toBeLessThan(1e-3);
    });
  });
});
