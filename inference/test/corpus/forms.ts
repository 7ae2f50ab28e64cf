/**
 * Small images in every form of the supported formats. Each shows the same four colors, so its correct pixels are
 * known; each is whole, so it must be decoded.
 */
import sharp from 'sharp';
import { photo } from '../photos';
import {
  insert,
  join,
  jpegSegment,
  partsOf,
  pngChunk,
  riffChunk,
  writePng,
  writeRestartJpeg,
} from './containers';
import { type GifPart, writeGif } from './gif';
import { writeHeif } from './heif';

export interface Form {
  readonly name: string;
  readonly bytes: Buffer;
  /** Width of the upright image, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Colors in the middle of each quarter, row by row; none where the image is a photograph. */
  readonly quarters?: readonly Color[];
  /** Largest difference of a channel. */
  readonly tolerance: number;
}

export type Color = readonly [red: number, green: number, blue: number];

const width = 96;
const height = 64;
/** Top left, top right, bottom left, bottom right. */
const colors: readonly Color[] = [
  [200, 40, 40],
  [40, 160, 60],
  [40, 60, 190],
  [128, 128, 128],
];
const quarterAt = (x: number, y: number) => (y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1);
const colorAt = (x: number, y: number) => colors[quarterAt(x, y)] as Color;

const raw = Buffer.from(
  Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => colorAt(x, y))).flat(2),
);
const image = () => sharp(raw, { raw: { width, height, channels: 3 } });

/** The order of the quarters by EXIF orientation. */
const upright: Readonly<Record<number, readonly number[]>> = {
  1: [0, 1, 2, 3],
  2: [1, 0, 3, 2],
  3: [3, 2, 1, 0],
  4: [2, 3, 0, 1],
  5: [0, 2, 1, 3],
  6: [2, 0, 3, 1],
  7: [3, 1, 2, 0],
  8: [1, 3, 0, 2],
};

const lossy = 12;
const jpeg: sharp.JpegOptions = { quality: 95, chromaSubsampling: '4:4:4' };
const form = (name: string, bytes: Buffer, tolerance: number, more: Partial<Form> = {}): Form => ({
  name,
  bytes,
  width,
  height,
  quarters: colors,
  tolerance,
  ...more,
});

async function jpegs(): Promise<Form[]> {
  const plain = await image().jpeg(jpeg).toBuffer();
  const oriented = Object.entries(upright).map(async ([orientation, order]) => {
    const turned = Number(orientation) > 4;
    return form(
      `JPEG, orientation ${orientation}`,
      await image()
        .withMetadata({ orientation: Number(orientation) })
        .jpeg(jpeg)
        .toBuffer(),
      lossy,
      {
        quarters: order.map((quarter) => colors[quarter] as Color),
        ...(turned ? { width: height, height: width } : {}),
      },
    );
  });
  const exif = (text: string) => jpegSegment(0xe1, Buffer.from(`Exif\0\0${text}`, 'latin1'));
  const profile = (text: string) => jpegSegment(0xe2, Buffer.from(`ICC_PROFILE\0\x01\x01${text}`, 'latin1'));
  return [
    form('JPEG', plain, lossy),
    form(
      'JPEG, 4:2:0',
      await image()
        .jpeg({ ...jpeg, chromaSubsampling: '4:2:0' })
        .toBuffer(),
      lossy,
    ),
    form(
      'JPEG, progressive',
      await image()
        .jpeg({ ...jpeg, progressive: true })
        .toBuffer(),
      lossy,
    ),
    form(
      'JPEG, mozjpeg',
      await image()
        .jpeg({ ...jpeg, mozjpeg: true })
        .toBuffer(),
      lossy,
    ),
    form('JPEG, grey', await image().grayscale().toColorspace('b-w').jpeg(jpeg).toBuffer(), lossy, {
      quarters: await greyQuarters(),
    }),
    // Inks cannot show this blue.
    form('JPEG, CMYK', await image().toColorspace('cmyk').jpeg(jpeg).toBuffer(), 55),
    form('JPEG, with a profile', await image().withIccProfile('srgb').jpeg(jpeg).toBuffer(), lossy),
    form('JPEG, EXIF of garbage', insert(plain, 1, exif('MM\0*\0\0\0\x08\xff\xff garbage')), lossy),
    form('JPEG, EXIF that points into itself', insert(plain, 1, exif(selfReferring)), lossy),
    form('JPEG, profile of garbage', insert(plain, 2, profile('no profile at all')), lossy),
    form('JPEG, profile cut short', insert(plain, 2, profile(await cutProfile())), lossy),
    form('JPEG, Adobe marker', insert(plain, 2, adobe(1)), lossy),
    form('JPEG, unknown color transform', insert(plain, 2, adobe(7)), lossy),
    form('JPEG, a comment', insert(plain, 2, jpegSegment(0xfe, Buffer.alloc(65_533, 'c'))), lossy),
    form('JPEG, bytes between its segments', insert(plain, 2, Buffer.alloc(3)), lossy),
    form('JPEG, fill bytes before a segment', insert(plain, 2, Buffer.alloc(3, 0xff)), lossy),
    ...[Buffer.alloc(0), Buffer.alloc(2), Buffer.from('padding')].map((padding) =>
      form(`JPEG, ${padding.length} bytes before each restart marker`, restartMarkers(padding), 1, {
        quarters: greys.map((grey) => [grey, grey, grey]),
      }),
    ),
    form('JPEG, zeros before its end', insert(plain, -1, Buffer.alloc(20)), lossy),
    form('JPEG, scan parameters out of range', outOfRange(plain), lossy),
    form('JPEG, bytes behind its end', Buffer.concat([plain, Buffer.alloc(5000, 'x')]), lossy),
    ...(await Promise.all(oriented)),
  ];
}

const greys = [0, 100, 200, 255];

const restartMarkers = (padding: Uint8Array) =>
  writeRestartJpeg(
    { width: width / 8, height: height / 8 },
    padding,
    (x, y) => greys[quarterAt(8 * x, 8 * y)] as number,
  );

/** The last coefficient of its scan is none, as some phones write it. */
function outOfRange(file: Buffer): Buffer {
  const parts = partsOf(file);
  return join(
    parts.map((part) => {
      if (part[1] !== 0xda) return part;
      const scan = Buffer.from(part);
      scan[scan.readUInt16BE(2)] = 0;
      return scan;
    }),
  );
}

/** An EXIF directory whose next directory is itself. */
const selfReferring = 'MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x01\0\0\0\0\0\x08';

const adobe = (transform: number) =>
  jpegSegment(0xee, Buffer.from([...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, transform]));

async function cutProfile(): Promise<string> {
  const { icc } = await sharp(await image().withIccProfile('p3').jpeg().toBuffer()).metadata();
  return (icc as Buffer).subarray(0, 200).toString('latin1');
}

async function greyQuarters(): Promise<Color[]> {
  const { data } = await image().grayscale().toColorspace('b-w').raw().toBuffer({ resolveWithObject: true });
  return [0, 1, 2, 3].map((quarter) => {
    const x = quarter % 2 === 0 ? width / 4 : (3 * width) / 4;
    const y = quarter < 2 ? height / 4 : (3 * height) / 4;
    const value = data[y * width + x] as number;
    return [value, value, value];
  });
}

async function pngs(): Promise<Form[]> {
  const greys = [1, 2, 4, 8, 16] as const;
  const palette = pngChunk('PLTE', Buffer.from(colors.flat()));
  const size = { width, height };
  const eight = (x: number, y: number, channel: number) => colorAt(x, y)[channel] as number;
  const plain = writePng({ ...size, color: 'rgb', depth: 8, value: eight });
  return [
    form('PNG', plain, 0),
    form('PNG, interlaced', await image().png({ progressive: true }).toBuffer(), 0),
    form(
      'PNG, 16 bits',
      writePng({ ...size, color: 'rgb', depth: 16, value: (x, y, c) => 257 * eight(x, y, c) }),
      1,
    ),
    ...greys.map((depth) => {
      const top = 2 ** depth - 1;
      const levels = [0, top >> 1, top, 0];
      return form(
        `PNG, grey of ${depth} bits`,
        writePng({ ...size, color: 'grey', depth, value: (x, y) => levels[quarterAt(x, y)] as number }),
        1,
        {
          quarters: levels.map((level) => {
            const value = Math.floor((255 * level) / top);
            return [value, value, value];
          }),
        },
      );
    }),
    ...([2, 4, 8] as const).map((depth) =>
      form(
        `PNG, palette of ${depth} bits`,
        writePng({ ...size, color: 'palette', depth, value: quarterAt, before: [palette] }),
        0,
      ),
    ),
    form(
      'PNG, palette with a transparent color',
      writePng({
        ...size,
        color: 'palette',
        depth: 8,
        value: quarterAt,
        before: [palette, pngChunk('tRNS', Buffer.from([255, 0, 255, 255]))],
      }),
      1,
      { quarters: colors.map((color, i) => (i === 1 ? [255, 255, 255] : color)) },
    ),
    form(
      'PNG, alpha',
      writePng({
        ...size,
        color: 'rgba',
        depth: 8,
        value: (x, y, c) => (c < 3 ? eight(x, y, c) : alphaAt(x, y)),
      }),
      1,
      { quarters: onWhite },
    ),
    form(
      'PNG, alpha of 16 bits',
      writePng({
        ...size,
        color: 'rgba',
        depth: 16,
        value: (x, y, c) => 257 * (c < 3 ? eight(x, y, c) : alphaAt(x, y)),
      }),
      1,
      { quarters: onWhite },
    ),
    ...([8, 16] as const).map((depth) =>
      form(
        `PNG, grey with alpha of ${depth} bits`,
        writePng({
          ...size,
          color: 'greyAlpha',
          depth,
          value: (x, y, c) => (depth === 16 ? 257 : 1) * (c === 0 ? 100 : alphaAt(x, y)),
        }),
        1,
        { quarters: alphas.map((alpha) => blend([100, 100, 100], alpha)) },
      ),
    ),
    form('PNG, orientation 6', await image().withMetadata({ orientation: 6 }).png().toBuffer(), 0, {
      width: height,
      height: width,
      quarters: (upright[6] as number[]).map((quarter) => colors[quarter] as Color),
    }),
    form('PNG, profile of garbage', insert(plain, 2, pngChunk('iCCP', Buffer.from('name\0\0garbage'))), 0),
    form('PNG, profile', await image().withIccProfile('srgb').png().toBuffer(), 2),
    form('PNG, animated', insert(plain, 2, animation), 0),
    form('PNG, bytes behind its end', Buffer.concat([plain, Buffer.alloc(5000, 'x')]), 0),
  ];
}

/** The control chunk that makes a PNG an animated one of four thousand million frames. */
const animation = pngChunk('acTL', Buffer.from([255, 255, 255, 255, 0, 0, 0, 0]));

const alphas = [255, 128, 0, 255];
const alphaAt = (x: number, y: number) => alphas[quarterAt(x, y)] as number;
const blend = (color: Color, alpha: number): Color => {
  const over = (value: number) => Math.round((value * alpha + 255 * (255 - alpha)) / 255);
  return [over(color[0]), over(color[1]), over(color[2])];
};
const onWhite = colors.map((color, i) => blend(color, alphas[i] as number));

/** The encoded tile shows the same colors. */
async function heics(): Promise<Form[]> {
  return [
    form('HEIC', writeHeif(), lossy),
    form('HEIC, turned', writeHeif({ turns: 3, orientation: 6 }), lossy, {
      width: height,
      height: width,
      quarters: [2, 0, 3, 1].map((quarter) => colors[quarter] as Color),
    }),
    form('HEIC, tiles', writeHeif({ grid: { columns: 1, rows: 1 } }), lossy),
    form('HEIC, bytes behind its end', Buffer.concat([writeHeif(), Buffer.alloc(500, 'x')]), lossy),
  ];
}

async function gifForms(): Promise<Form[]> {
  const shown: GifPart = { width, height, at: (x, y) => 1 + quarterAt(x, y) };
  const palette: Color[] = [[9, 9, 9], ...colors];
  const blank: GifPart = { width, height, at: () => 0 };
  /** The first frame shows nothing. The second adds one quarter, the third the others. */
  const parts: GifPart[] = [
    { ...blank, transparent: 0 },
    { width: width / 2, height: height / 2, left: width / 2, at: () => 2 },
    { ...shown, at: (x, y) => (quarterAt(x, y) === 1 ? 0 : shown.at(x, y)), transparent: 0 },
  ];
  const file = (frames: readonly GifPart[], more = {}) =>
    writeGif({ width, height, palette, frames, ...more });
  return [
    form('GIF', file([shown]), 0),
    form('GIF of 1987', file([shown], { version: '87a' }), 0),
    form('GIF of the library', await image().gif({ effort: 1 }).toBuffer(), 3),
    form('GIF, interlaced', file([{ ...shown, isInterlaced: true }]), 0),
    form('GIF, colors of its own', file([{ ...shown, palette }], { palette: [[1, 2, 3]] }), 0),
    form('GIF, animated', file([shown, blank, blank]), 0),
    form('GIF without a trailer', file([shown, blank]).subarray(0, -1), 0),
    form('GIF, bytes behind its end', Buffer.concat([file([shown]), Buffer.alloc(500, 'x')]), 0),
    form('GIF, frames that add up', file(parts), 0, {
      quarters: [
        [255, 255, 255],
        [255, 255, 255],
        [255, 255, 255],
        [255, 255, 255],
      ],
    }),
  ];
}

async function webps(): Promise<Form[]> {
  const plain = await image().webp({ quality: 95 }).toBuffer();
  const lossless = { lossless: true };
  const alpha = writePng({
    width,
    height,
    color: 'rgba',
    depth: 8,
    value: (x, y, c) => (c < 3 ? (colorAt(x, y)[c] as number) : alphaAt(x, y)),
  });
  const frames = await Promise.all(
    [image(), image().negate(), image().flip()].map((frame) => frame.png().toBuffer()),
  );
  const animated = sharp(frames, { join: { animated: true } });
  return [
    form('WebP', plain, 16),
    form('WebP, lossless', await image().webp(lossless).toBuffer(), 0),
    form('WebP, alpha', await sharp(alpha).webp({ lossless: true, exact: true }).toBuffer(), 1, {
      quarters: onWhite,
    }),
    form('WebP, animated', await animated.webp(lossless).toBuffer(), 0),
    form('WebP, orientation 8', await image().withMetadata({ orientation: 8 }).webp(lossless).toBuffer(), 0, {
      width: height,
      height: width,
      quarters: (upright[8] as number[]).map((quarter) => colors[quarter] as Color),
    }),
    form('WebP, profile', await image().withIccProfile('srgb').webp(lossless).toBuffer(), 2),
    form('WebP, an unknown chunk', insert(plain, 2, riffChunk('JUNK', Buffer.alloc(333, 'j'))), 16),
    form('WebP, bytes behind its end', Buffer.concat([plain, Buffer.alloc(5000, 'x')]), 16),
  ];
}

/** Photographs have the noise that drawn images lack: their entropy-coded parts are long. */
async function photographs(): Promise<Form[]> {
  const small = await sharp(photo(4)).resize(144, 96, { fit: 'cover' }).png().toBuffer();
  const open = () => sharp(small);
  const size = { width: 144, height: 96, tolerance: 0 };
  return [
    { ...size, name: 'photograph, JPEG', bytes: await open().jpeg().toBuffer() },
    {
      ...size,
      name: 'photograph, progressive JPEG',
      bytes: await open().jpeg({ progressive: true }).toBuffer(),
    },
    { ...size, name: 'photograph, PNG', bytes: small },
    {
      ...size,
      name: 'photograph, interlaced PNG',
      bytes: await open().png({ progressive: true }).toBuffer(),
    },
    { ...size, name: 'photograph, WebP', bytes: await open().webp().toBuffer() },
    { ...size, name: 'photograph, lossless WebP', bytes: await open().webp({ lossless: true }).toBuffer() },
  ];
}

/** Every form; made anew at each call, the same at each call. */
export async function forms(): Promise<Form[]> {
  return (await Promise.all([jpegs(), pngs(), webps(), gifForms(), heics(), photographs()])).flat();
}

/** Whole files of other formats, and files that only begin like one of ours. */
export async function otherFiles(): Promise<{ readonly name: string; readonly bytes: Buffer }[]> {
  const text = (name: string, content: string) => ({ name, bytes: Buffer.from(content, 'latin1') });
  return [
    { name: 'TIFF', bytes: await image().tiff().toBuffer() },
    { name: 'AVIF', bytes: await image().avif({ effort: 0 }).toBuffer() },
    text(
      'SVG',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    ),
    text('SVG that includes a file', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><svg>&b;</svg>'),
    { name: 'AVIF in the brand of all HEIF', bytes: writeHeif({ brand: 'mif1', type: 'av01' }) },
    text('PDF', '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
    text('BMP', 'BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\x18\0'),
    text('JPEG 2000', '\0\0\0\x0cjP  \r\n\x87\n'),
    text('JPEG XL', '\xff\x0a\xfa\x7f\x01'),
    text('PPM', 'P6 2 2 255 123456789012'),
    text('RIFF of sound', 'RIFF\x24\0\0\0WAVEfmt '),
    text('nothing', ''),
    text('one byte', '\xff'),
    text('zeros', '\0'.repeat(4096)),
    text('text', 'not an image at all'),
  ];
}
