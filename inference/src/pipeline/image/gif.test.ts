import sharp from 'sharp';
import { type GifPart, gifFrame, gifHeader, writeGif } from '../../../test/corpus/gif';
import { Random } from '../../../test/corpus/random';
import { drawFrames, sampleIndices } from './gif';
import { ImageError } from './image-error';

const palette = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
];
const [red, green, blue] = [0, 1, 2];
const names: Readonly<Record<string, string>> = { '255,0,0': '1', '0,255,0': '2', '0,0,255': '3' };

const flat = (color: number, more: Partial<GifPart> = {}): GifPart => ({
  width: 4,
  height: 2,
  at: () => color,
  ...more,
});
const gif = (frames: readonly GifPart[], width = 4, height = 2) =>
  writeGif({ width, height, palette, frames });

/** The canvas after each sampled frame, 1 to 3 for each pixel; `.` is transparent. */
const shown = (file: Buffer, most = 8) => [...drawTexts(file, most)];

function* drawTexts(file: Buffer, most: number): Generator<string> {
  for (const { rgba, width } of drawFrames(file, most)) {
    const pixels = Array.from({ length: rgba.length / 4 }, (_, i) => {
      const pixel = rgba.subarray(4 * i, 4 * i + 4);
      return pixel[3] === 0 ? '.' : (names[pixel.subarray(0, 3).join(',')] ?? '?');
    });
    yield (pixels.join('').match(new RegExp(`.{${width}}`, 'g')) ?? []).join('/');
  }
}

function fault(file: Buffer, most = 8): string {
  try {
    return `${[...drawFrames(file, most)].length} frames`;
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    return error.fault;
  }
}

describe('samples', () => {
  test('are all frames of a short animation, and spread evenly with both ends over a long one', () => {
    expect(sampleIndices(1, 8)).toEqual([0]);
    expect(sampleIndices(3, 8)).toEqual([0, 1, 2]);
    expect(sampleIndices(8, 8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(sampleIndices(100, 8)).toEqual([0, 14, 28, 42, 57, 71, 85, 99]);
    expect(sampleIndices(100, 1)).toEqual([0]);
  });

  test.each([2, 9, 10, 57, 1000])('samples of %i frames are different', (count) => {
    const samples = sampleIndices(count, 8);
    expect(new Set(samples).size).toBe(Math.min(count, 8));
    expect([samples[0], samples.at(-1)]).toEqual([0, count - 1]);
  });
});

describe('the canvas shows', () => {
  test('frames on top of earlier ones, with the transparent color left out', () => {
    const stripe = flat(green, { at: (x) => (x === 1 ? green : blue), transparent: blue });
    expect(shown(gif([flat(red), stripe]))).toEqual(['1111/1111', '1211/1211']);
  });

  test('nothing where no frame has drawn', () => {
    expect(shown(gif([flat(red, { width: 2, height: 1, left: 1, top: 1 })]))).toEqual(['..../.11.']);
  });

  test('a frame cleared, and what was below a frame restored', () => {
    const small = { width: 2, height: 1, left: 1 };
    expect(shown(gif([flat(red), flat(green, { ...small, disposal: 2 }), flat(blue, { width: 1 })]))).toEqual(
      ['1111/1111', '1221/1111', '3..1/3111'],
    );
    for (const disposal of [3, 4]) {
      expect(shown(gif([flat(red), flat(green, { ...small, disposal }), flat(blue, { width: 1 })]))).toEqual([
        '1111/1111',
        '1221/1111',
        '3111/3111',
      ]);
    }
  });

  test('the part of a later frame that is on it', () => {
    const over = { width: 4, height: 2, left: 2, top: 1 };
    for (const disposal of [0, 2, 3]) {
      expect(shown(gif([flat(red), flat(green, { ...over, disposal })]))[1]).toBe('1111/1122');
    }
    for (const [left, top] of [
      [9, 9],
      [4, 1],
      [9, 1],
      [65_000, 0],
      [0, 2],
    ] as const) {
      for (const disposal of [2, 3]) {
        const beside = flat(green, { left, top, disposal });
        expect(shown(gif([flat(red), beside, flat(blue, { width: 1 })])).at(-1)).toBe('3111/3111');
      }
    }
  });

  test('all of a first frame that is larger than it', () => {
    expect(shown(gif([flat(red), flat(green, { width: 1, height: 1 })], 1, 1))).toEqual([
      '1111/1111',
      '2111/1111',
    ]);
  });

  test.each([
    [640, 480],
    [800, 600],
    [2100, 4],
  ])('frames after a small first one, in a canvas of %i x %i', (width, height) => {
    const far = flat(green, { left: width - 4, top: height - 2 });
    const [first, second] = shown(gif([flat(red, { width: 1, height: 1 }), far], width, height));
    expect(first).toHaveLength((width + 1) * height - 1);
    expect(second?.endsWith('2222')).toBe(true);
  });

  test('the rows of an interlaced frame in their order', () => {
    const rows = { width: 1, height: 13, at: (_x: number, y: number) => y % 3, isInterlaced: true };
    expect(shown(gif([rows], 1, 13))).toEqual(['1/2/3/1/2/3/1/2/3/1/2/3/1']);
  });

  test.each([9, 10, 11, 12])('pixels in codes of %i bits or more', (codeBits) => {
    const noise = new Random(codeBits);
    const indices = Array.from({ length: 64 * 64 }, () => noise.below(4));
    const at = (x: number, y: number) => indices[64 * y + x] as number;
    const [eight, more] = [8, codeBits].map((bits) => [
      ...shown(gif([{ width: 64, height: 64, at, codeBits: bits }], 64, 64)),
    ]);
    expect(more).toEqual(eight);
  });

  test('indices without a color as transparent', () => {
    const file = gif([flat(red), flat(200)]);
    // The table of the file says that it has 256 colors; this one has 4.
    const short = Buffer.concat([
      file.subarray(0, 10),
      Buffer.from([0xf1]),
      file.subarray(11, 13 + 12),
      file.subarray(13 + 768),
    ]);
    expect(shown(short)).toEqual(['1111/1111', '1111/1111']);
  });

  test('noise exactly, whose codes reach their full length several times', () => {
    const random = new Random(5);
    const pixels = random.bytes(200 * 200);
    const grays = Array.from({ length: 256 }, (_, i) => [i, i, i]);
    const noise = { width: 200, height: 200, at: (x: number, y: number) => pixels[200 * y + x] as number };
    const file = writeGif({ width: 200, height: 200, palette: grays, frames: [noise] });
    const [canvas] = drawFrames(file, 1);
    expect(canvas?.rgba.filter((_, i) => i % 4 === 1)).toEqual(new Uint8Array(pixels));
  });
});

test('every frame of an animation of another encoder', async () => {
  const colors = ['#f00', '#0f0', '#00f', '#f00', '#00f'];
  const frames = colors.map((background, i) =>
    sharp({ create: { width: 30, height: 20, channels: 3, background: '#00f' } })
      .composite([
        { input: { create: { width: 6, height: 6, channels: 3, background } }, left: 4 * i, top: 2 * i },
      ])
      .png()
      .toBuffer(),
  );
  const file = await sharp(await Promise.all(frames), { join: { animated: true } })
    .gif({ effort: 1 })
    .toBuffer();
  const drawn = [...shown(file)].map((text, i) => text.split('/')[2 * i + 1]?.slice(4 * i, 4 * i + 6));
  expect(drawn).toEqual(['111111', '222222', '333333', '111111', '333333']);
});

describe('refuses', () => {
  const file = gif([flat(red), flat(green), flat(blue)]);

  test('files cut anywhere, except between two frames', () => {
    const cuts = Array.from({ length: file.length - 1 }, (_, length) => [
      length,
      fault(file.subarray(0, length)),
    ]);
    const whole = cuts.filter(([, outcome]) => outcome !== 'truncated');
    const start = 13 + 768;
    const frame = (file.length - 1 - start) / 3;
    const control = 8;
    expect(whole).toEqual([
      [start + frame, '1 frames'],
      [start + frame + control, '1 frames'],
      [start + 2 * frame, '2 frames'],
      [start + 2 * frame + control, '2 frames'],
    ]);
    expect(fault(file.subarray(0, -1))).toBe('3 frames');
  });

  test('damaged pixels, in a frame that is drawn', () => {
    const start = 13 + 768;
    const data = file.indexOf(0x2c, start) + 12;
    const broken = Buffer.from(file);
    // The first code is one that is not yet known.
    broken.set([0xff, 0xff], data);
    expect(fault(broken)).toBe('corrupt');
    const last = Buffer.from(file);
    last.set([0xff, 0xff], file.lastIndexOf(0x2c) + 12);
    expect([fault(last, 1), fault(last)]).toEqual(['1 frames', 'corrupt']);
  });

  test('fewer pixels than a frame has, and sizes of codes that GIF does not have', () => {
    const short = gif([flat(red)]);
    short.writeUInt16LE(3, short.lastIndexOf(0x2c) + 7);
    expect(fault(short)).toBe('corrupt');
    for (const size of [0, 13, 255]) {
      const odd = gif([flat(red)]);
      odd[odd.lastIndexOf(0x2c) + 10] = size;
      expect(fault(odd)).toBe('corrupt');
    }
  });

  test('files without a frame, without colors or without pixels', () => {
    expect(fault(gif([]))).toBe('corrupt');
    expect(fault(writeGif({ width: 4, height: 2, palette: [], frames: [flat(red)] }))).toBe('corrupt');
    expect(fault(gif([flat(red, { width: 0, height: 0 })], 0, 0))).toBe('corrupt');
  });

  test('a giant canvas before anything is decoded', () => {
    expect(fault(gif([flat(red)], 65_535, 65_535))).toBe('dimensions');
    expect(fault(gif([flat(red)], 4_001, 3_000))).toBe('dimensions');
    expect(fault(gif([flat(red, { left: 65_535 })]))).toBe('side');
    expect(fault(gif([flat(red)], 4_000, 3_000))).toBe('1 frames');
  });

  test('a later frame that is far larger than the canvas', () => {
    const large = gif([flat(red), flat(green)]);
    const at = large.lastIndexOf(0x2c);
    large.writeUInt16LE(65_535, at + 5);
    large.writeUInt16LE(65_535, at + 7);
    expect([fault(large, 1), fault(large)]).toEqual(['1 frames', 'dimensions']);
  });

  test('frames with too many pixels in all, before anything is decoded', () => {
    const side = 1_000;
    const frame = (disposal: number) => gifFrame({ width: side, height: side, at: () => red, disposal });
    const animation = (frames: number, encoded: Buffer) =>
      Buffer.concat([gifHeader(side, side, palette), ...Array(frames).fill(encoded)]);
    const [kept, restored] = [frame(0), frame(3)];
    expect(fault(animation(65, kept), 1)).toBe('1 frames');
    // GIF has no such size of codes: the first frame that is decoded would be refused as damaged.
    for (const encoded of [kept, restored]) encoded[encoded.indexOf(0x2c) + 10] = 0;
    expect(fault(animation(1, kept))).toBe('corrupt');
    expect(fault(animation(65, kept))).toBe('animation');
    expect(fault(animation(40, restored))).toBe('animation');
  });
});

test('an animation of 10,000 small frames copies only the pixels that they cover, and of one more is refused', () => {
  const frames = 10_000;
  const dot = gifFrame(flat(green, { width: 1, height: 1, disposal: 3 }));
  const file = Buffer.concat([gifHeader(1_000, 1_000, palette), ...Array(frames).fill(dot)]);
  expect([fault(Buffer.concat([file, dot])), fault(Buffer.concat([file, dot]), 1)]).toEqual([
    'animation',
    'animation',
  ]);
  const copies = jest.spyOn(Uint32Array.prototype, 'set');
  expect(fault(file)).toBe('8 frames');
  const copied = copies.mock.calls.reduce((sum, [pixels]) => sum + pixels.length, 0);
  copies.mockRestore();
  // Each frame but the last saves one pixel and restores it.
  expect(copied).toBe(2 * (frames - 1));
  expect(fault(file, 1)).toBe('1 frames');
});
