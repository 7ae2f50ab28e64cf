/**
 * The operations on images with many faces or frames, and on many images at once.
 *
 * Slow: the real models analyze hundreds of faces.
 */
import sharp from 'sharp';
import {
  describe1,
  detect,
  manifestData,
  models,
  portrait,
  returned,
  setUpOperations,
} from '../../test/operations-on-photos';
import { facesIn, photo } from '../../test/photos';
import { scissors } from '../../test/scissors';
import { Stages } from '../device/stages';
import { compare } from './compare';
import { distanceBetween, similarityOf } from './faces/similarity';
import { overlap } from './image/boxes';
import { operations } from './operations';

setUpOperations();

test('finds a hundred small faces in one image', async () => {
  const cell = 64;
  // The largest face is too dark to be found at this size.
  const tile = await sharp(await portrait(0.4, 1))
    .resize(cell, cell)
    .png()
    .toBuffer();
  const places = Array.from({ length: 100 }, (_, i) => ({
    left: (i % 10) * cell,
    top: Math.floor(i / 10) * cell,
  }));
  const wall = sharp({ create: { width: 10 * cell, height: 10 * cell, channels: 3, background: '#000' } });
  const faces = await detect(
    await wall
      .composite(places.map((at) => ({ ...at, input: tile })))
      .png()
      .toBuffer(),
  );
  expect(faces.length).toBeGreaterThanOrEqual(98);
  expect(faces.length).toBeLessThanOrEqual(100);
});

test('32 selfies at once need at most three runs of each model on a device that gathers them', async () => {
  const runs: Record<string, number> = {};
  const counted = Object.entries(models).map(([stage, model]) => [
    stage,
    {
      run(pixels: Uint8Array, items: number) {
        runs[stage] = (runs[stage] ?? 0) + 1;
        return model.run(pixels, items);
      },
    },
  ]);
  const policy = { maxBatch: 32, sliceMs: Number.POSITIVE_INFINITY, gatherMs: 10_000 };
  const stages = new Stages(Object.fromEntries(counted), policy);
  const selfies = await Promise.all([0.4, 0.6, 0.8, 1].map((margin) => portrait(margin)));
  const faces = await Promise.all(
    Array.from({ length: 32 }, async (_, i) => {
      const task = stages.begin({ account: `account ${i % 5}`, deadlineMs: Number.POSITIVE_INFINITY });
      const stagedModels = Object.entries(models).map(([stage, { spec }]) => [
        stage,
        { spec, run: (pixels: Uint8Array, items: number) => task.run(stage, pixels, items) },
      ]);
      const item = { image: selfies[i % 4] as Buffer, faces: 'all' } as const;
      const result = await operations.describe(Object.fromEntries(stagedModels), item, manifestData);
      task.end();
      return returned(result).faces.length;
    }),
  );
  expect(faces).toEqual(faces.map(() => 1));
  expect(Object.keys(runs).sort()).toEqual(['embedding', 'mesh', 'near', 'thorough']);
  expect(Math.max(...Object.values(runs))).toBeLessThanOrEqual(3);
});

test('every face of a crowd is compared', async () => {
  const office = await sharp(photo(4)).resize(700).toBuffer();
  const { height = 0 } = await sharp(office).metadata();
  const wall = sharp({ create: { width: 1400, height: 2 * height, channels: 3, background: '#000' } });
  const image = await wall
    .composite([0, 1, 2, 3].map((i) => ({ input: office, left: 700 * (i % 2), top: height * (i >> 1) })))
    .jpeg({ quality: 95 })
    .toBuffer();
  const crowd = { faces: await describe1(image) };
  expect(crowd.faces.length).toBeGreaterThan(8);
  const source = { faces: (await describe1(photo(4))).slice(0, 1) };
  const compared = compare(source, crowd, manifestData);
  if (!compared.ok) throw new Error('no face');
  const similarities = compared.targets.map(({ similarity }) => similarity);
  expect(similarities).toHaveLength(crowd.faces.length);
  // The face lies at the upper edge of its photo, and may be found only where another photo follows above.
  const same = similarities.filter((similarity) => similarity > 0.9);
  expect(same.length).toBeGreaterThanOrEqual(2);
  expect(same.length).toBeLessThanOrEqual(4);
  expect(similarities.filter((similarity) => similarity < 0.8)).toHaveLength(
    similarities.length - same.length,
  );
});

/** An animation of still images. */
const animationOf = async (frames: readonly Buffer[]) => {
  const resized = frames.map((frame) => sharp(frame).resize(480, 640, { fit: 'cover' }).png().toBuffer());
  return sharp(await Promise.all(resized), { join: { animated: true } })
    .gif({ effort: 1 })
    .toBuffer();
};

describe('a GIF', () => {
  test('shows the faces of the same photograph as a JPEG', async () => {
    const small = sharp(photo(4)).resize(1200);
    const [jpeg, gif] = await Promise.all([
      small.clone().jpeg({ quality: 95 }).toBuffer(),
      small.clone().gif({ effort: 1 }).toBuffer(),
    ]);
    const [expected, seen] = await Promise.all([detect(jpeg), detect(gif)]);
    expect(seen).toHaveLength(facesIn[4] as number);
    for (const face of seen) {
      const matches = expected.map(({ boundingBox }) => overlap(boundingBox, face.boundingBox));
      expect(Math.max(...matches)).toBeGreaterThan(0.9);
    }
    const [a, b] = await Promise.all([describe1(jpeg), describe1(gif)]);
    for (const { boundingBox, embedding } of a) {
      const same = b.find((other) => overlap(boundingBox, other.boundingBox) > 0.9);
      if (!same) throw new Error('A face is missing');
      const distance = distanceBetween(embedding, same.embedding);
      expect(similarityOf(distance, manifestData.calibration)).toBeGreaterThan(0.9);
    }
  });

  test('is searched for faces in its first frame', async () => {
    const empty = await scissors();
    expect(await detect(await animationOf([empty, photo(4)]))).toEqual([]);
    expect(await detect(await animationOf([photo(4), empty]))).not.toEqual([]);
  });

  test('is moderated in its middle as well: the result has the highest confidence of any frame', async () => {
    const categories = ['Explicit', 'Suggestive', 'Violence'] as const;
    const moderate = async (image: Buffer) =>
      returned(await operations.moderate(models, { image, categories }, manifestData));
    const office = photo(4);
    const drawn = await scissors();
    const [calm, armed, ...stills] = await Promise.all([
      moderate(await animationOf([office, office, office])),
      moderate(await animationOf([office, office, drawn, office, office])),
      moderate(await animationOf([office, office])),
      moderate(await animationOf([drawn, drawn])),
    ]);
    const violence = ({ elements }: typeof calm) => elements.find(({ type }) => type === 'Violence');
    expect(violence(calm)?.confidence).toBeLessThan(0.3);
    expect(violence(armed)?.confidence).toBeGreaterThan(0.5);
    expect(violence(armed)?.subTypes?.[0]?.type).toBe('Scissors');
    expect(armed.elements).toHaveLength(categories.length);
    for (const { type, confidence } of armed.elements) {
      const confidences = stills.map(
        ({ elements }) => elements.find((element) => element.type === type)?.confidence ?? Number.NaN,
      );
      expect(confidence).toBeCloseTo(Math.max(...confidences), 1);
    }
  });
});
