/** The operations with the real models on real photographs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
import { gaussian, seeded } from '../../test/synthetic-head';
import type { Model } from '../backends/backend';
import type { FaceWarning } from '../wire/faces';
import { compare } from './compare';
import type { Embedding } from './faces/embed';
import { distanceBetween, similarityOf } from './faces/similarity';
import { overlap } from './image/boxes';
import { operations } from './operations';

setUpOperations();

/** A face's extent in pixels, across. */
interface Span {
  readonly center: number;
  readonly width: number;
}

describe('detect', () => {
  test.each([1, 2, 3, 4, 5, 6])(
    'photograph %i: every face once, in the order of a comparison',
    async (number) => {
      const faces = await detect(photo(number));
      expect(faces).toHaveLength(facesIn[number] as number);
      const compared = await describe1(photo(number));
      expect(faces.map(({ boundingBox }) => boundingBox)).toEqual(
        compared.map(({ boundingBox }) => boundingBox),
      );
      for (const { confidence, quality } of faces) {
        expect(confidence).toBeGreaterThan(0.6);
        expect(quality.brightness).toBeGreaterThan(0.1);
        expect(quality.sharpness).toBeGreaterThan(0.2);
      }
    },
  );

  test('only the near detector runs for a small image', async () => {
    let looks = 0;
    const thorough = {
      ...models.thorough,
      spec: models.thorough.spec,
      run: (pixels: Uint8Array, items: number) => {
        looks += 1;
        return models.thorough.run(pixels, items);
      },
      close: () => Promise.resolve(),
    };
    for (const [width, expected] of [
      [320, 0],
      [640, 1],
    ] as const) {
      looks = 0;
      const image = await sharp(await portrait())
        .resize(width)
        .png()
        .toBuffer();
      const result = await operations.detect({ ...models, thorough }, { image }, manifestData);
      expect(returned(result).faces).toHaveLength(1);
      expect(looks).toBe(expected);
    }
  });

  test.each([90, 180, 270])('a portrait turned by %i degrees', async (degrees) => {
    const upright = await portrait();
    const faces = await detect(await sharp(upright).rotate(degrees).toBuffer());
    expect(faces).toHaveLength(1);
  });

  test.each([3, 6, 8])('EXIF orientation %i: boxes refer to the upright image', async (orientation) => {
    const upright = await portrait();
    const back = { 3: 180, 6: 270, 8: 90 }[orientation] as number;
    const stored = await sharp(upright)
      .rotate(back)
      .withMetadata({ orientation })
      .jpeg({ quality: 95 })
      .toBuffer();
    const [expected] = await detect(upright);
    const [face] = await detect(stored);
    expect(
      overlap((face as typeof face & object).boundingBox, (expected as typeof face & object).boundingBox),
    ).toBeGreaterThan(0.9);
  });

  test('a close-up that fills the image', async () => {
    expect(await detect(await portrait(-0.1))).toHaveLength(1);
  });

  test('the box of a face follows a shift of the image', async () => {
    const image = await portrait();
    const { width, height } = await sharp(image).metadata();
    const shift = 5;
    const shifted = sharp(image).extract({ left: shift, top: 3, width: width - shift, height: height - 3 });
    const faces = [...(await detect(image)), ...(await detect(await shifted.png().toBuffer()))];
    const [before, after] = faces.map(({ boundingBox }, i) => {
      const imageWidth = i === 0 ? width : width - shift;
      return {
        center: (boundingBox.left + boundingBox.width / 2) * imageWidth,
        width: boundingBox.width * width,
      };
    }) as [Span, Span];
    expect(Math.abs(before.center - after.center - shift)).toBeLessThan(0.02 * before.width);
  });

  test('no face is found where there is none', async () => {
    const sky = sharp({ create: { width: 640, height: 480, channels: 3, background: '#8cf' } });
    expect(await detect(await sky.jpeg().toBuffer())).toEqual([]);
    const noise = Buffer.from(Uint8Array.from({ length: 300 * 300 * 3 }, (_, i) => (i * i * 31) % 251));
    expect(
      await detect(
        await sharp(noise, { raw: { width: 300, height: 300, channels: 3 } })
          .png()
          .toBuffer(),
      ),
    ).toEqual([]);
  });

  test('blur lowers only sharpness', async () => {
    const [sharpFace] = await detect(await portrait());
    const [blurred] = await detect(
      await sharp(await portrait())
        .blur(4)
        .toBuffer(),
    );
    const [a, b] = [sharpFace?.quality, blurred?.quality] as [
      { brightness: number; sharpness: number },
      { brightness: number; sharpness: number },
    ];
    expect(b.sharpness).toBeLessThan(0.6 * a.sharpness);
    expect(Math.abs(b.brightness - a.brightness)).toBeLessThan(0.05);
  });
});

test('an image that cannot be decoded is a refusal', async () => {
  const image = Buffer.from('not an image');
  const refused = { ok: false, code: 'INVALID_IMAGE', reason: 'format', values: {} };
  expect(await operations.describe(models, { image, faces: 'all' }, manifestData)).toEqual(refused);
});

describe('a near person of whom only the detector sees the face, beside a small clear one', () => {
  const bystander = () =>
    sharp(photo(4)).extract({ left: 634, top: 0, width: 300, height: 300 }).resize(150).png().toBuffer();
  const scene = async () => {
    const near = await sharp(photo(1)).extract({ left: 291, top: 330, width: 440, height: 330 }).toBuffer();
    const blurred = await sharp(near).blur(12).png().toBuffer();
    const all = [
      { input: await sharp(blurred).resize(600).png().toBuffer(), left: 0, top: 0 },
      { input: await bystander(), left: 630, top: 20 },
    ];
    return sharp({ create: { width: 800, height: 600, channels: 3, background: '#998' } })
      .composite(all)
      .png()
      .toBuffer();
  };

  test('stays the source of a comparison, with a warning', async () => {
    const item = { image: await scene(), faces: 'largest' } as const;
    const source = returned(await operations.describe(models, item, manifestData));
    const [face, ...others] = source.faces;
    expect(others).toEqual([]);
    expect(face?.boundingBox.left).toBeLessThan(0.5);
    expect(face?.warnings).toContain('unclear');
    const compared = compare(source, { faces: await describe1(await bystander()) }, manifestData);
    if (!compared.ok) throw new Error('no face');
    expect(compared.targets.map(({ similarity }) => similarity < 0.8)).toEqual([true]);
  });

  test('is among the faces of a target, with a warning, and the first face of a detection', async () => {
    const [detected, compared] = [await detect(await scene()), await describe1(await scene())];
    expect(detected.map(({ isConfirmed }) => isConfirmed)).toEqual([false, undefined]);
    expect(compared.map(({ warnings }) => warnings?.includes('unclear'))).toEqual([true, false]);
    expect(detected.map(({ boundingBox }) => boundingBox)).toEqual(
      compared.map(({ boundingBox }) => boundingBox),
    );
  });
});

test('the largest face alone is the first of all faces', async () => {
  const [first] = await describe1(photo(4));
  const largest = returned(
    await operations.describe(models, { image: photo(4), faces: 'largest' }, manifestData),
  ).faces;
  expect(largest).toHaveLength(1);
  expect(largest[0]?.boundingBox).toEqual(first?.boundingBox);
  expect(distanceBetween(largest[0]?.embedding as Embedding, first?.embedding as Embedding)).toBeLessThan(
    1e-4,
  );
});

test('the same face in two images is similar, and faces of different people are not', async () => {
  const [first] = await describe1(await portrait());
  const [again] = await describe1(
    await sharp(await portrait(0.6))
      .resize(300)
      .modulate({ brightness: 0.8 })
      .jpeg({ quality: 70 })
      .toBuffer(),
  );
  const similarity = (a: Float32Array, b: Float32Array) =>
    similarityOf(distanceBetween(a, b), manifestData.calibration);
  const reference = (first as typeof first & object).embedding;
  expect(Math.hypot(...reference)).toBeCloseTo(1, 4);
  expect(similarity(reference, (again as typeof again & object).embedding)).toBeGreaterThan(0.9);
  const others = (await describe1(photo(4))).slice(1);
  for (const { embedding } of others) expect(similarity(reference, embedding)).toBeLessThan(0.8);
});

test.each([90, 135, 180, 270])(
  'people of images turned by %i degrees match only themselves',
  async (degrees) => {
    const [first] = await describe1(await portrait());
    const turned = (rank: number) =>
      portrait(1, rank).then((image) =>
        sharp(image).rotate(degrees, { background: '#000' }).png().toBuffer(),
      );
    const similarities = await Promise.all(
      [0, 1, 2].map(async (rank) => {
        const [face, ...others] = await describe1(await turned(rank));
        expect(others).toEqual([]);
        expect(face?.warnings).toContain('turned');
        const [a, b] = [first, face].map((result) => result?.embedding) as [Embedding, Embedding];
        return similarityOf(distanceBetween(a, b), manifestData.calibration);
      }),
    );
    expect(similarities[0]).toBeGreaterThan(0.9);
    for (const similarity of similarities.slice(1)) expect(similarity).toBeLessThan(0.8);
  },
);

test('a face that covers its image, or is cut off by the edge, is one face', async () => {
  const upright = await portrait(0.1);
  const { width = 0, height = 0 } = await sharp(upright).metadata();
  expect(await detect(upright)).toHaveLength(1);
  const half = { left: Math.round(0.4 * width), top: 0, width: Math.round(0.6 * width), height };
  const [cut, ...others] = await describe1(await sharp(upright).extract(half).png().toBuffer());
  expect(others).toEqual([]);
  expect(cut?.warnings).toContain('border');
});

test('moderation: probabilities sum to one and an office is neutral or a drawing', async () => {
  const { probabilities, elements } = returned(
    await operations.moderate(
      models,
      { image: photo(4), categories: ['Explicit', 'Suggestive'] },
      manifestData,
    ),
  );
  expect(Object.values(probabilities ?? {}).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 4);
  expect(elements.map(({ type }) => type).sort()).toEqual(['Explicit', 'Suggestive']);
  for (const { confidence } of elements) expect(confidence).toBeLessThan(0.5);
});

test('moderation asks both of its models before either replies', async () => {
  let asked = 0;
  let ask = () => {};
  const both = new Promise<void>((resolve) => {
    ask = () => (++asked === 2 ? resolve() : undefined);
  });
  const meeting = (model: Model): Model => ({
    spec: model.spec,
    run: async (...input) => {
      ask();
      await both;
      return model.run(...input);
    },
  });
  const { moderation, objects } = models;
  const waiting = { ...models, moderation: meeting(moderation), objects: meeting(objects) };
  const item = { image: photo(4), categories: ['Explicit', 'Violence'] } as const;
  const { elements } = returned(await operations.moderate(waiting, item, manifestData));
  expect(elements.map(({ type }) => type).sort()).toEqual(['Explicit', 'Violence']);
});

test('violence: detects scissors, and no weapon in an office', async () => {
  const images = [await scissors(), photo(4)];
  const results = await Promise.all(
    images.map((image) => operations.moderate(models, { image, categories: ['Violence'] }, manifestData)),
  );
  const [drawn, office] = results.map((result) => returned(result).elements[0]);
  expect(drawn?.type).toBe('Violence');
  expect(drawn?.confidence).toBeGreaterThan(0.5);
  expect(drawn?.subTypes?.[0]?.type).toBe('Scissors');
  expect(office?.confidence).toBeLessThan(0.3);
});

test('a HEIC shows the face of the same image as a WebP', async () => {
  const [heic, webp] = ['inference/test/corpus/portrait.heic', 'inference/test/corpus/portrait.webp'].map(
    (path) => readFileSync(join(__dirname, '../../..', path)),
  ) as [Buffer, Buffer];
  const [[face], [expected]] = await Promise.all([describe1(heic), describe1(webp)]);
  if (!face || !expected) throw new Error('no face');
  expect(overlap(face.boundingBox, expected.boundingBox)).toBeGreaterThan(0.9);
  const distance = distanceBetween(face.embedding, expected.embedding);
  expect(similarityOf(distance, manifestData.calibration)).toBeGreaterThan(0.95);
});

describe('a comparison warns of', () => {
  /** A portrait of the given height, whose face takes up half. */
  const sized = async (height: number) =>
    sharp(
      await sharp(photo(1))
        .extract({ left: 291, top: 330, width: 440, height: 330 })
        .resize({ height })
        .png()
        .toBuffer(),
    );

  test.each<[string, number, (image: sharp.Sharp) => sharp.Sharp, readonly FaceWarning[]]>([
    ['nothing in a clear portrait', 240, (image) => image, []],
    ['nothing after mild compression', 240, (image) => image.jpeg({ quality: 50 }), []],
    ['a face out of focus', 240, (image) => image.blur(3.5), ['blur']],
    ['a face in motion', 240, (image) => image.convolve(shaken), ['blur']],
    ['a small face', 64, (image) => image, ['small']],
    ['a dark face', 240, (image) => image.linear(0.2, 0), ['dark']],
    ['an overexposed face', 240, (image) => image.linear(2, 0), ['bright']],
    ['a face that JPEG damaged', 240, (image) => image.jpeg({ quality: 8 }), ['compression']],
  ])('%s', async (_, height, degrade, expected) => {
    const [face] = await describe1(await degrade(await sized(height)).toBuffer());
    expect(face?.warnings).toEqual(expected);
  });

  /** A portrait in few and large squares. */
  async function pixelated() {
    const few = await (await sized(240)).resize({ height: 32 }).png().toBuffer();
    return sharp(few).resize({ height: 240, kernel: 'nearest' }).png().toBuffer();
  }

  test('a pixelated face, which shows few features', async () => {
    const [face] = await describe1(await pixelated());
    expect(face?.warnings).toContain('unclear');
  });

  test('few features only for embeddings with a limit', async () => {
    const { minNorm: _, ...others } = manifestData;
    const item = { image: await pixelated(), faces: 'all' } as const;
    const [face] = returned(await operations.describe(models, item, others)).faces;
    expect(face).toBeDefined();
    expect(face?.warnings).not.toContain('unclear');
  });

  test('blur even where noise adds detail', async () => {
    const { data, info } = await (await sized(240)).blur(3.5).raw().toBuffer({ resolveWithObject: true });
    const random = seeded(1);
    const noisy = data.map((value) => Math.max(0, Math.min(255, value + 5 * gaussian(random))));
    const { width, height, channels } = info;
    const [face] = await describe1(await sharp(noisy, { raw: { width, height, channels } }).png().toBuffer());
    expect(face?.quality.sharpness).toBeGreaterThan(0.3);
    expect(face?.warnings).toEqual(['blur']);
  });
});

/** Motion of 13 pixels to the side. */
const shaken = {
  width: 13,
  height: 3,
  kernel: Array.from({ length: 39 }, (_, i) => Number(Math.floor(i / 13) === 1)),
};

describe('custom categories', () => {
  /** Crops of an office photograph against images of small faces side by side, two kinds that are easy to distinguish. */
  const crop = (number: number, part: number) =>
    sharp(photo(number))
      .resize(900)
      .extract({ left: 60 * part, top: 20 * part, width: 560, height: 380 })
      .jpeg()
      .toBuffer();
  const stripes = (period: number) => {
    const pixels = Uint8Array.from({ length: 3 * 240 * 240 }, (_, i) =>
      Math.floor(((i / 3) % 240) / period) % 2 ? 250 : (i % 3) * 60,
    );
    return sharp(pixels, { raw: { width: 240, height: 240, channels: 3 } })
      .png()
      .toBuffer();
  };

  test('a prototype recognizes its own kind', async () => {
    const images = await Promise.all([8, 9, 10, 11, 13].map(stripes));
    const { prototype, outliers } = returned(await operations.prototype(models, { images }, manifestData));
    expect(outliers).toEqual([]);
    const bytes = Buffer.from(prototype, 'base64');
    const asked = [await stripes(12), await crop(2, 1)].map((image) => ({
      image,
      categories: [],
      prototypes: bytes,
    }));
    const results = await Promise.all(asked.map((item) => operations.moderate(models, item, manifestData)));
    const [matching, other] = results.map(returned);
    expect(matching?.custom).toHaveLength(1);
    expect(matching?.custom[0]).toBeGreaterThan(0.5);
    expect(other?.custom[0]).toBeLessThan(0.2);
  });

  test('refuses examples that have nothing in common, and one that is not an image', async () => {
    const mixed = await Promise.all([stripes(3), crop(1, 0), crop(5, 3), scissors(), stripes(100)]);
    const broken = [...mixed.slice(0, 4), Buffer.from('not an image')];
    const results = await Promise.all(
      [mixed, broken].map((images) => operations.prototype(models, { images }, manifestData)),
    );
    expect(results[0]).toMatchObject({ ok: false, code: 'INVALID_PARAMETERS', reason: 'contradictory' });
    expect(results[1]).toEqual({
      ok: false,
      code: 'INVALID_IMAGE',
      reason: 'format',
      values: { image: 4 },
    });
  });
});
