/**
 * Every form of image decodes correctly; a broken file gives an image or a refusal, never anything else.
 *
 * Slow: it decodes thousands of damaged files.
 */
import { type Form, forms, otherFiles } from '../../../test/corpus/forms';
import { mutate } from '../../../test/corpus/mutate';
import { Random } from '../../../test/corpus/random';
import { DecodedImage } from './decoded-image';
import { ImageError } from './image-error';
import { openImage } from './open';

const maxSide = 64;
const faults = new Set([
  'format',
  'corrupt',
  'truncated',
  'dimensions',
  'side',
  'animation',
  'scans',
  'jpegCoding',
  'sequence',
]);
/** Another seed and more cases look further: FUZZ_SEED=7 FUZZ_CASES=100000. */
const seed = Number(process.env.FUZZ_SEED ?? 1);
const cases = Number(process.env.FUZZ_CASES ?? 4000);

let whole: readonly Form[];
beforeAll(async () => {
  whole = await forms();
});

/** Middle of a quarter. */
function quarterOf(image: DecodedImage, quarter: number): number[] {
  const { width, height } = image;
  const x = Math.floor(((quarter % 2 === 0 ? 1 : 3) * width) / 4);
  const y = Math.floor(((quarter < 2 ? 1 : 3) * height) / 4);
  return image.at(x, y);
}

test('every form shows its colors, upright', async () => {
  const wrong: object[] = [];
  for (const { name, bytes, width, height, quarters = [], tolerance } of whole) {
    const image = await openImage(bytes, 1000).catch((error: Error) => error);
    if (!(image instanceof DecodedImage) || image.width !== width || image.height !== height) {
      wrong.push({ name, image: String(image) });
      continue;
    }
    quarters.forEach((color, i) => {
      const seen = quarterOf(image, i);
      const isRight = seen.every(
        (value, channel) => Math.abs(value - (color[channel] as number)) <= tolerance,
      );
      if (!isRight) wrong.push({ name, quarter: i, seen, color });
    });
  }
  expect(wrong).toEqual([]);
});

test('files of other formats are refused as such', async () => {
  for (const { name, bytes } of await otherFiles()) {
    const outcome = await openImage(bytes, maxSide).catch((error: Error) => error);
    expect({ name, outcome }).toMatchObject({ name, outcome: { name: 'ImageError', fault: 'format' } });
  }
});

/** @returns the fault in the outcome of a broken file; undefined for a valid image or a refusal */
async function wrongWith(bytes: Buffer): Promise<string | undefined> {
  const outcome: unknown = await openImage(bytes, maxSide).catch((error: unknown) => error);
  if (outcome instanceof ImageError) return faults.has(outcome.fault) ? undefined : `fault ${outcome.fault}`;
  if (!(outcome instanceof DecodedImage)) return String(outcome);
  const { pixels, width, height } = outcome;
  const sound =
    width > 0 &&
    height > 0 &&
    Math.max(width, height) <= 6 * maxSide &&
    width * height <= maxSide ** 2 &&
    pixels.length === width * height;
  return sound ? undefined : `${width} x ${height} in ${pixels.length} pixels`;
}

test(
  `${cases} broken files are images or refusals, in bounded memory`,
  async () => {
    const failed: object[] = [];
    // The first quarter fills the allocator's pools.
    let before = Number.NaN;
    for (let i = 0; i < cases; i++) {
      if (i === Math.floor(cases / 4)) before = process.memoryUsage.rss();
      // Each case has its own seed: it can be repeated without those before it.
      const random = new Random(seed * 1_000_003 + i);
      const { name, bytes } = random.pick(whole);
      const broken = mutate(bytes, random, random.pick(whole).bytes);
      const wrong = await wrongWith(broken.bytes);
      if (wrong !== undefined) failed.push({ seed, case: i, form: name, how: broken.how, wrong });
    }
    expect(failed).toEqual([]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(300e6);
  },
  60_000 + 10 * cases,
);
