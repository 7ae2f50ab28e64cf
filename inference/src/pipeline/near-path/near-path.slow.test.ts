// Slow: it loads the models of faces twice, alone and as one graph.
import sharp from 'sharp';
import { differencesOf, generalPath, openNearPath, openProgram } from '../../../test/near-paths';
import { photo } from '../../../test/photos';
import type { Program } from '../../backends/backend';
import { Stages } from '../../device/stages';
import { decodeImage } from '../image/decode';
import { DecodedImage } from '../image/decoded-image';
import { NearPath } from './near-path';
import { nearPathSpec, nearPathStage, stagedProgram } from './stage';

let nearPath: NearPath;
let general: Awaited<ReturnType<typeof generalPath>>;
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
  const images = await Promise.all([portrait(250), portrait(1300), portrait(440, 15)]);
  const expected = await general(images);
  const alone = await Promise.all(images.map(async (image) => (await nearPath.run([image]))[0]));
  for (const actual of [await nearPath.run(images), alone]) {
    images.forEach((image, i) => {
      const [nearFace, face] = [actual[i], expected[i]?.[0]];
      if (!nearFace || !face) throw new Error('No face');
      expect(expected[i]).toHaveLength(1);
      for (const difference of Object.values(differencesOf(nearFace, face, image))) {
        expect(difference).toBeLessThan(1e-3);
      }
      expect(Math.hypot(...nearFace.embedding)).toBeCloseTo(1);
    });
  }
});

test('images without a near face, with several faces or too small need the general path', async () => {
  const images = await Promise.all([
    new DecodedImage(new Int32Array(320 * 240).fill(0xff808080 | 0), 320, 240),
    decodeImage(photo(1), 1536),
    portrait(15),
    portrait(440),
  ]);
  const faces = await nearPath.run(images);
  expect(faces.map((face) => face !== undefined)).toEqual([false, false, false, true]);
});

/** A portrait with a second person in its corner. */
async function withBystander(): Promise<DecodedImage> {
  const head = await sharp(photo(4))
    .extract({ left: 634, top: 0, width: 300, height: 300 })
    .resize(48)
    .toBuffer();
  const near = sharp(photo(1)).extract(window).resize(600);
  const both = sharp(await near.png().toBuffer()).composite([{ input: head, left: 10, top: 10 }]);
  return decodeImage(await both.png().toBuffer(), 1536);
}

test('an image in which only the thorough detector sees a second person needs the general path', async () => {
  const image = await withBystander();
  expect(await nearPath.run([image])).toEqual([undefined]);
  expect((await general([image]))[0]).toHaveLength(2);
});

test('small images do not depend on the thorough detector', async () => {
  const image = await decodeImage(await sharp(photo(1)).extract(window).resize(300).png().toBuffer(), 1536);
  const program = await openProgram('cpu');
  const blind: Program = {
    ...program,
    async run(inputs) {
      const { candidate, ...outputs } = await program.run(inputs);
      return { ...outputs, candidate: (candidate as Float32Array).with(1, 1) };
    },
  };
  const expected = await nearPath.run([image]);
  expect(expected).not.toContain(undefined);
  expect(await new NearPath(blind).run([image])).toEqual(expected);
  await program.close();
});

test('a device that gathers images of different sizes gives each its own face', async () => {
  const images = await Promise.all([portrait(250), portrait(600), portrait(440, 15)]);
  const expected = await nearPath.run(images);
  const stage = nearPathStage(nearPathSpec(''), await openProgram('cpu'));
  const gather = { maxBatch: 4, sliceMs: Number.POSITIVE_INFINITY, gatherMs: 10_000 };
  const stages = new Stages({ nearPath: stage }, gather);
  const nearFaces = await Promise.all(
    images.map(async (image) => {
      const task = stages.begin({ account: '', deadlineMs: Number.POSITIVE_INFINITY });
      const run = (pixels: Uint8Array, items: number) => task.run('nearPath', pixels, items);
      const [face] = await new NearPath(stagedProgram({ spec: stage.spec, run })).run([image]);
      task.end();
      expect(task.use.nearPath?.runs).toBeLessThan(1);
      return face;
    }),
  );
  images.forEach((image, i) => {
    const [nearFace, face] = [nearFaces[i], expected[i]];
    if (!nearFace || !face) throw new Error('No face');
    for (const difference of Object.values(differencesOf(nearFace, face, image))) {
      expect(difference).toBeLessThan(1e-3);
    }
  });
  await stage.close();
});
