import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { chainProfile, manyScansJpeg, profileSegments, repeatedScansJpeg } from '../../../test/corpus/bombs';
import {
  insert,
  join,
  jpegSegment,
  partsOf,
  pngChunk,
  riffChunk,
  writePng,
  writeRestartJpeg,
} from '../../../test/corpus/containers';
import { Random } from '../../../test/corpus/random';
import { photo } from '../../../test/photos';
import { decodeImage } from './decode';
import type { DecodedImage } from './decoded-image';
import { ImageError } from './image-error';
import { checkJpeg, maxScanMs } from './jpeg-check';
import { isChain } from './profile';
import { trim } from './trim';

const maxSide = 64;

/** An image of 80 x 40 whose left half is red and right half blue. */
const flag = () => {
  const half = (color: string) =>
    sharp({ create: { width: 40, height: 40, channels: 3, background: color } });
  return half('#f00').extend({ right: 40, background: '#00f' });
};

const pixelAt = (image: DecodedImage, x: number, y: number) => image.at(x, y);

async function fault(bytes: Uint8Array): Promise<string> {
  const error = await decodeImage(bytes, maxSide).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ImageError);
  return (error as ImageError).fault;
}

test('shrinks an image to the longer side and keeps a smaller one', async () => {
  const image = await decodeImage(await flag().png().toBuffer(), maxSide);
  expect([image.width, image.height]).toEqual([64, 32]);
  expect(pixelAt(image, 4, 4)).toEqual([255, 0, 0]);
  expect(pixelAt(image, 60, 4)).toEqual([0, 0, 255]);
  const create = { width: 20, height: 10, channels: 3 as const, background: '#0f0' };
  const small = await decodeImage(await sharp({ create }).png().toBuffer(), maxSide);
  expect([small.width, small.height]).toEqual([20, 10]);
});

test.each([
  [1, [64, 32], [4, 4], [60, 4]],
  [3, [64, 32], [60, 4], [4, 4]],
  [6, [32, 64], [4, 4], [4, 60]],
  [8, [32, 64], [4, 60], [4, 4]],
] as const)('EXIF orientation %i is applied', async (orientation, size, red, blue) => {
  const bytes = await flag()
    .withMetadata({ orientation })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
  const image = await decodeImage(bytes, maxSide);
  expect([image.width, image.height]).toEqual(size);
  const [r, , b] = pixelAt(image, red[0], red[1]);
  expect(r).toBeGreaterThan(240);
  expect(b).toBeLessThan(15);
  expect(pixelAt(image, blue[0], blue[1])[2]).toBeGreaterThan(240);
});

describe('every kind of the supported formats gives the same colors', () => {
  const kinds: Record<string, () => Promise<Buffer>> = {
    'lossless WebP': () => flag().webp({ lossless: true }).toBuffer(),
    'PNG with alpha': () => flag().ensureAlpha().png().toBuffer(),
    'PNG with 16 bits': () => flag().toColorspace('rgb16').png().toBuffer(),
    'PNG with a palette': () => flag().png({ palette: true }).toBuffer(),
    'progressive JPEG': () =>
      flag().jpeg({ quality: 100, progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
    'CMYK JPEG': () => flag().toColorspace('cmyk').jpeg({ quality: 100 }).toBuffer(),
  };
  test.each(Object.keys(kinds))('%s', async (kind) => {
    const image = await decodeImage(await (kinds[kind] as () => Promise<Buffer>)(), maxSide);
    const [r, g, b] = pixelAt(image, 4, 4);
    expect(r).toBeGreaterThan(200);
    // CMYK cannot show a pure red.
    expect(Math.max(g, b)).toBeLessThan(kind.startsWith('CMYK') ? 60 : 15);
  });

  test('decodes gray images to three equal channels', async () => {
    const image = await decodeImage(await flag().grayscale().toColorspace('b-w').png().toBuffer(), maxSide);
    const [r, g, b] = pixelAt(image, 4, 4);
    expect([g, b]).toEqual([r, r]);
  });

  test('transparent parts of an image become white', async () => {
    const clear = sharp({
      create: { width: 8, height: 8, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    });
    expect(pixelAt(await decodeImage(await clear.png().toBuffer(), maxSide), 4, 4)).toEqual([255, 255, 255]);
  });

  test('an image of one pixel', async () => {
    const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: '#0f0' } });
    expect(pixelAt(await decodeImage(await pixel.png().toBuffer(), maxSide), 0, 0)).toEqual([0, 255, 0]);
  });

  test('the first frame of an animated WebP', async () => {
    const frame = (color: string) =>
      sharp({ create: { width: 40, height: 40, channels: 3, background: color } })
        .png()
        .toBuffer();
    const frames = await Promise.all([frame('#f00'), frame('#00f')]);
    const bytes = await sharp(frames, { join: { animated: true } })
      .webp({ lossless: true })
      .toBuffer();
    expect(pixelAt(await decodeImage(bytes, maxSide), 4, 4)).toEqual([255, 0, 0]);
  });
});

test('a JPEG that needs no change gives the pixels of the same JPEG that might', async () => {
  const plain = await sharp(photo(4)).resize(640).jpeg().toBuffer();
  const [image, other] = await Promise.all(
    [plain, insert(plain, 2, jpegSegment(0xe1, Buffer.from('an unknown segment')))].map((bytes) =>
      decodeImage(bytes, 640),
    ),
  );
  expect(image?.pixels).toEqual(other?.pixels);
});

describe('a refusal says why', () => {
  test('other formats', async () => {
    expect(await fault(await flag().gif({ effort: 1 }).toBuffer())).toBe('format');
    expect(await fault(await flag().tiff().toBuffer())).toBe('format');
    expect(await fault(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'))).toBe(
      'format',
    );
    expect(await fault(Buffer.from('not an image at all'))).toBe('format');
    expect(await fault(Buffer.alloc(0))).toBe('format');
  });

  test('JPEGs cut short that are decoded at once', async () => {
    const cut = photo(4).subarray(0, photo(4).length / 2);
    const faults = await Promise.all(Array.from({ length: 32 }, () => fault(cut)));
    expect(new Set(faults)).toEqual(new Set(['truncated']));
  });

  test.each(['jpeg', 'png', 'webp'] as const)('%s cut short', async (format) => {
    const whole = await sharp(photo(4)).resize(300).toFormat(format).toBuffer();
    for (const part of [0.3, 0.9])
      expect(await fault(whole.subarray(0, whole.length * part))).toBe('truncated');
  });

  test('its own fault, whatever is decoded at the same time', async () => {
    const jpeg = await sharp(photo(4)).resize(200).jpeg().toBuffer();
    const truncated = jpeg.subarray(0, jpeg.length / 2);
    const [start, ...parts] = partsOf(jpeg) as [Buffer, ...Buffer[]];
    const tables = 0xdb;
    const corrupt = join([start, ...parts.filter((part) => part[1] !== tables)]);
    // Decodes, although the decoder warns of its profile.
    const odd = insert(jpeg, 1, jpegSegment(0xe2, Buffer.from('ICC_PROFILE\0\x01\x01none', 'latin1')));
    const outcomeOf = (bytes: Buffer) =>
      decodeImage(bytes, maxSide).then(
        () => 'decoded',
        (error: ImageError) => error.fault ?? error.message,
      );
    const rounds = Array.from({ length: 50 }, () => [truncated, corrupt, odd]).flat();
    const outcomes = await Promise.all(rounds.map(outcomeOf));
    expect(outcomes).toEqual(rounds.map((_, i) => ['truncated', 'corrupt', 'decoded'][i % 3]));
  });

  test('a JPEG cut short in its header, behind a whole thumbnail', async () => {
    const jpeg = await sharp(photo(4)).resize(64).jpeg().toBuffer();
    const thumbnail = jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), jpeg]));
    const file = insert(jpeg, 1, thumbnail);
    expect(await fault(file.subarray(0, thumbnail.length + 30))).toBe('truncated');
  });

  test('a damaged PNG', async () => {
    const bytes = await sharp(photo(4)).resize(300).png().toBuffer();
    bytes.fill(0x55, 3000, 3200);
    expect(await fault(bytes)).toBe('corrupt');
  });

  /** How many of 20 copies with random bytes in their scans are refused, each as corrupt. */
  async function refused(jpeg: Buffer, randomBytes: number): Promise<number> {
    const scan = jpeg.indexOf('\xff\xda', 'latin1') + 16;
    const outcomes = Array.from({ length: 20 }, (_, seed) => {
      const random = new Random(seed);
      const damaged = Buffer.from(jpeg);
      for (let i = 0; i < randomBytes; i++) {
        damaged[scan + random.below(jpeg.length - 2 - scan)] = random.below(256);
      }
      return decodeImage(damaged, 640).then(
        () => 'decoded',
        (error: ImageError) => error.fault,
      );
    });
    const faults = (await Promise.all(outcomes)).filter((outcome) => outcome !== 'decoded');
    expect(new Set(faults)).toEqual(new Set(['corrupt']));
    return faults.length;
  }

  test('a JPEG with random bytes in its scan, where the decoder notices', async () => {
    const small = sharp(photo(4)).resize(640);
    expect(await refused(await small.jpeg().toBuffer(), 200)).toBeGreaterThanOrEqual(15);
    expect(await refused(await small.jpeg({ progressive: true }).toBuffer(), 200)).toBe(20);
  });

  test('a JPEG whose scan is cut short in front of an end marker', async () => {
    const jpeg = await sharp(photo(4)).resize(640).jpeg().toBuffer();
    expect(await fault(Buffer.concat([jpeg.subarray(0, jpeg.length / 2), jpeg.subarray(-2)]))).toBe(
      'corrupt',
    );
  });

  const hash = async (bytes: Buffer) =>
    createHash('sha256')
      .update((await decodeImage(bytes, 640)).pixels)
      .digest('hex');

  test.each<[string, sharp.JpegOptions]>([
    ['sequential', {}],
    ['sequential in 4:4:4', { chromaSubsampling: '4:4:4' }],
    ['progressive', { progressive: true }],
    ['from mozjpeg', { mozjpeg: true }],
  ])(
    'a JPEG, %s, is whole without its end marker, and cut short in its last scan with or without one',
    async (_, options) => {
      const jpeg = await sharp(photo(4)).resize(640).jpeg(options).toBuffer();
      const open = jpeg.subarray(0, -2);
      expect(await hash(open)).toBe(await hash(jpeg));
      // A single missing byte shows.
      for (const missing of [1, 2, 5, 20, 100, 1_000, 10_000]) {
        const outcome = await decodeImage(open.subarray(0, -missing), 640).catch(
          ({ fault }: ImageError) => fault,
        );
        expect([missing, outcome]).toEqual([missing, 'truncated']);
      }
      // The decoder notices missing rows, and not always the last blocks.
      for (const part of [0.3, 0.6, 0.9]) {
        const cut = open.subarray(0, jpeg.length * part);
        expect(await fault(Buffer.concat([cut, jpeg.subarray(-2)]))).toBe('corrupt');
      }
    },
  );

  test('a JPEG with restart markers and without its end, whole and cut short', async () => {
    const jpeg = writeRestartJpeg({ width: 12, height: 8 }, Buffer.alloc(0), (x, y) => 20 * x + y);
    const open = jpeg.subarray(0, -2);
    expect(await hash(open)).toBe(await hash(jpeg));
    for (const missing of [4, 30]) {
      const outcome = await decodeImage(open.subarray(0, -missing), 640).catch(
        ({ fault }: ImageError) => fault,
      );
      expect([missing, outcome]).toEqual([missing, 'truncated']);
    }
  });

  test.each([
    ['12 bits', 0xc1, 12],
    ['lossless', 0xc3, 8],
    ['hierarchical', 0xc5, 8],
    ['arithmetic', 0xc9, 8],
    ['progressive arithmetic', 0xca, 8],
    ['JPEG-LS', 0xf7, 8],
  ])('a JPEG whose coding is %s, as not supported', async (_, marker, precision) => {
    const jpeg = await sharp(photo(4)).resize(64).jpeg().toBuffer();
    const at = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
    const other = Buffer.from(jpeg);
    other.set([marker, 0, other[at + 3] as number, precision], at + 1);
    expect(await fault(other)).toBe('jpegCoding');
  });

  test('scans that take longer than those of the largest photograph, unread', async () => {
    const size = { width: 5_000, height: 5_000 };
    const refused = [
      manyScansJpeg({ ...size, scans: 60 }),
      manyScansJpeg({ ...size, scans: 20, refines: true }),
      repeatedScansJpeg(size),
    ];
    for (const bytes of refused) expect(await fault(bytes)).toBe('scans');
    const small = { width: 64, height: 64 };
    expect(await fault(manyScansJpeg({ ...small, scans: 500 }))).toBe('scans');
    for (const refines of [false, true]) {
      const image = await decodeImage(manyScansJpeg({ ...small, scans: 499, refines }), maxSide);
      expect([image.width, image.height]).toEqual([64, 64]);
    }
  });

  test('no photograph of an encoder for its scans, of any size', async () => {
    const options: sharp.JpegOptions[] = [
      { progressive: true },
      { mozjpeg: true },
      { mozjpeg: true, optimizeScans: true, overshootDeringing: true },
    ];
    for (const option of options) {
      for (const chromaSubsampling of ['4:2:0', '4:4:4']) {
        const size = { width: 640, height: 400 };
        const bytes = await sharp(photo(4))
          .resize(size)
          .jpeg({ ...option, chromaSubsampling })
          .toBuffer();
        // The most pixels of which the coefficients of all scans fit into memory.
        const largest = chromaSubsampling === '4:2:0' ? 64e6 : 200e6 / 6;
        expect((checkJpeg(bytes, maxScanMs) * largest) / (size.width * size.height)).toBeLessThan(maxScanMs);
      }
    }
  });

  test('a color profile that is a chain of elements is left out', async () => {
    const chain = chainProfile(200_000);
    expect(isChain(chain)).toBe(true);
    const jpeg = await flag().jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
    const [startOfImage, ...rest] = partsOf(jpeg) as [Buffer, ...Buffer[]];
    const profiled = join([startOfImage, ...profileSegments(chain), ...rest]);
    expect(Buffer.from(trim(profiled)).equals(jpeg)).toBe(true);
    // Parts in another order are one profile, too.
    const reversed = join([startOfImage, ...profileSegments(chain).reverse(), ...rest]);
    expect(Buffer.from(trim(reversed)).equals(jpeg)).toBe(true);
    // A reader may take either of two parts with the same number.
    const harmless = jpegSegment(0xe2, Buffer.from('ICC_PROFILE\0\x01\x01harmless', 'latin1'));
    const twice = join([startOfImage, ...profileSegments(chain.subarray(0, 60_000)), harmless, ...rest]);
    expect(Buffer.from(trim(twice)).equals(jpeg)).toBe(true);
    const png = await flag().png().toBuffer();
    const named = Buffer.concat([Buffer.from('p\0\0', 'latin1'), deflateSync(chain)]);
    const inPng = insert(png, 2, pngChunk('iCCP', named));
    expect(Buffer.from(trim(inPng)).equals(png)).toBe(true);
    // Node refuses compressed data without its checksum, and the decoder does not.
    const unchecked = insert(png, 2, pngChunk('iCCP', named.subarray(0, -4)));
    expect(Buffer.from(trim(unchecked)).equals(png)).toBe(true);
    // A file has one profile. Further ones are not even expanded.
    const withProfile = await flag().withIccProfile('p3').png().toBuffer();
    expect(trim(withProfile)).toBe(withProfile);
    const parts = partsOf(withProfile);
    const place = parts.findIndex((part) => part.toString('latin1', 4, 8) === 'iCCP');
    const another = insert(withProfile, place, parts[place] as Buffer);
    expect(Buffer.from(trim(another)).equals(withProfile)).toBe(true);
    const webp = await flag().withIccProfile('p3').webp({ lossless: true }).toBuffer();
    expect(trim(webp)).toBe(webp);
    const chunks = partsOf(webp).map((part) =>
      part.toString('latin1', 0, 4) === 'ICCP' ? riffChunk('ICCP', chain) : part,
    );
    const image = await decodeImage(join(chunks), maxSide);
    // Red of sRGB as Display P3 has it.
    expect(pixelAt(image, 4, 4)).toEqual([234, 51, 34]);
    expect(trim(join(chunks)).length).toBeLessThan(webp.length);
    const { icc } = await sharp(webp).metadata();
    expect(isChain(icc as Buffer)).toBe(false);
  });

  test('segments and chunks by the million', async () => {
    const jpeg = await flag().jpeg().toBuffer();
    const segments = Array<Buffer>(20_000).fill(jpegSegment(0xe5, Buffer.alloc(0)));
    const [startOfImage, ...rest] = partsOf(jpeg) as [Buffer, ...Buffer[]];
    expect(await fault(join([startOfImage, ...segments, ...rest]))).toBe('corrupt');
    const [signature, header, ...others] = partsOf(await flag().png().toBuffer()) as [
      Buffer,
      Buffer,
      ...Buffer[],
    ];
    const times = Array<Buffer>(20_000).fill(pngChunk('tIME', Buffer.alloc(7)));
    expect(await fault(join([signature, header, ...times, ...others]))).toBe('corrupt');
    const webp = await flag().webp().toBuffer();
    const chunks = Array<Buffer>(200_000).fill(riffChunk('JUNK', Buffer.alloc(0)));
    expect(await fault(join([...partsOf(webp), ...chunks]))).toBe('corrupt');
  });

  test('forms that cannot be decoded row by row have a lower limit', async () => {
    // 30 megapixels: fine row by row, 240 MB at once as interlaced PNG of 16 bits.
    const large = sharp({
      create: { width: 6000, height: 5000, channels: 4, background: '#123' },
    }).toColorspace('rgb16');
    const interlaced = await large.png({ progressive: true, compressionLevel: 1 }).toBuffer();
    expect(await fault(interlaced)).toBe('dimensions');
  });

  test('removes only compressed comments, unread', async () => {
    const png = await flag().png().toBuffer();
    const data = Buffer.concat([Buffer.from('zTXtComment\0\0', 'latin1'), deflateSync(Buffer.alloc(1e6))]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length - 4);
    const chunk = Buffer.concat([length, data, Buffer.alloc(4)]);
    const endOfHeader = 33;
    const bomb = Buffer.concat([png.subarray(0, endOfHeader), chunk, chunk, png.subarray(endOfHeader)]);
    expect(Buffer.from(trim(bomb)).equals(png)).toBe(true);
    expect(pixelAt(await decodeImage(bomb, maxSide), 4, 4)).toEqual([255, 0, 0]);
    expect(trim(png)).toBe(png);
    const cut = bomb.subarray(0, endOfHeader + 100);
    expect(trim(cut).length).toBeLessThanOrEqual(cut.length);
  });

  test('an animation of any length costs what its first frame does, and only whole files are shortened', async () => {
    const still = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#f00' } })
      .webp({ lossless: true })
      .toBuffer();
    // Sizes are stored less one: a canvas, and a frame in its corner, of 4 x 4.
    const canvas = Buffer.from([2, 0, 0, 0, 3, 0, 0, 3, 0, 0]);
    const frame = riffChunk(
      'ANMF',
      Buffer.concat([Buffer.alloc(6), Buffer.from([3, 0, 0, 3, 0, 0]), Buffer.alloc(4), still.subarray(12)]),
    );
    const animation = (frames: number) =>
      join([
        still.subarray(0, 12),
        riffChunk('VP8X', canvas),
        riffChunk('ANIM', Buffer.alloc(6)),
        ...Array.from({ length: frames }, () => frame),
      ]);
    const bomb = animation(50_000);
    expect(Buffer.from(trim(bomb)).equals(animation(1))).toBe(true);
    expect(pixelAt(await decodeImage(bomb, maxSide), 2, 2)).toEqual([255, 0, 0]);
    // Processor time of all threads, which other programs on the machine do not change.
    const begin = process.cpuUsage();
    await Promise.all([bomb, bomb, bomb].map((bytes) => decodeImage(bytes, maxSide)));
    const { user, system } = process.cpuUsage(begin);
    // Read to its end, each takes many seconds.
    expect((user + system) / 1_000).toBeLessThan(3_000);
    expect(await fault(bomb.subarray(0, bomb.length - 10))).toBe('truncated');
    expect(trim(still)).toBe(still);
    // The last frame claims the bytes behind the file's own end.
    const greedy = Buffer.concat([animation(2), Buffer.alloc(200)]);
    greedy.writeUInt32LE(frame.length - 8 + 150, greedy.length - 200 - frame.length + 4);
    expect(Buffer.from(trim(greedy)).equals(Buffer.concat([animation(1), Buffer.alloc(200)]))).toBe(true);
    const odd = Buffer.concat([animation(2), Buffer.from('behind')]);
    expect(Buffer.from(trim(odd)).equals(Buffer.concat([animation(1), Buffer.from('behind')]))).toBe(true);
  });

  test('a side longer than any JPEG’s: rows of gigabytes, or millions of rows, in a small file', async () => {
    const long = (width: number, height: number) =>
      writePng({ width, height, color: 'grey', depth: 1, value: () => 0 });
    expect(await fault(long(65_536, 1))).toBe('side');
    expect(await fault(long(1, 65_536))).toBe('side');
    for (const [width, height] of [
      [65_535, 1],
      [1, 65_535],
    ] as const) {
      const image = await decodeImage(long(width, height), maxSide);
      expect([image.width, image.height]).toEqual([
        Math.min(width, 6 * maxSide),
        Math.min(height, 6 * maxSide),
      ]);
    }
  });

  test('an image of extreme shape keeps as many pixels as one of 3:1', async () => {
    const sizeOf = async (width: number, height: number) => {
      const black = sharp({ create: { width, height, channels: 3, background: '#000' } });
      const image = await decodeImage(await black.jpeg().toBuffer(), maxSide);
      return [image.width, image.height];
    };
    expect(await sizeOf(300, 150)).toEqual([maxSide, maxSide / 2]);
    expect(await sizeOf(2_400, 200)).toEqual([2 * maxSide, Math.round(maxSide / 6)]);
    expect(await sizeOf(200, 2_400)).toEqual([Math.round(maxSide / 6), 2 * maxSide]);
  });

  test('more pixels than any photograph, before anything is decoded', async () => {
    // 81 megapixels in a few kilobytes.
    const bomb = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#000' } })
      .toColorspace('b-w')
      .png({ compressionLevel: 1 })
      .toBuffer();
    expect(bomb.length).toBeLessThan(1e6);
    const error = await decodeImage(bomb, maxSide).catch((thrown: ImageError) => thrown);
    expect(error).toMatchObject({ fault: 'dimensions', values: { width: 9000, height: 9000 } });
  });
});
