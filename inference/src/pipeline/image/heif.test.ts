import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { type HeifSpec, tileSize, writeHeif } from '../../../test/corpus/heif';
import { decodeHeif } from './heif';
import { readHeif } from './heif-file';
import { ImageError } from './image-error';
import { openImage } from './open';

const portrait = readFileSync(join(__dirname, '../../../test/corpus/portrait.heic'));
const maxSide = 640;

function fault(file: Buffer, memoryBytes?: number): string {
  try {
    const { width, height } = decodeHeif(file, memoryBytes === undefined ? {} : { memoryBytes });
    return `${width} x ${height}`;
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    return error.fault;
  }
}

const colors: Readonly<Record<string, readonly number[]>> = {
  red: [200, 40, 40],
  green: [40, 160, 60],
  blue: [40, 60, 190],
  gray: [128, 128, 128],
};

/** The names of the colors in the middle of each cell, row by row. */
async function cells(file: Buffer, columns: number, rows: number): Promise<string[]> {
  const image = await openImage(file, maxSide);
  return Array.from({ length: columns * rows }, (_, i) => {
    const x = Math.floor((((i % columns) + 0.5) * image.width) / columns);
    const y = Math.floor(((Math.floor(i / columns) + 0.5) * image.height) / rows);
    const seen = image.at(x, y);
    const [name] =
      Object.entries(colors).find(([, color]) =>
        color.every((value, k) => Math.abs(value - (seen[k] ?? 0)) <= 12),
      ) ?? [];
    return name ?? seen.join();
  });
}
const quarters = (spec?: HeifSpec) => cells(writeHeif(spec), 2, 2);

test('the colors are right, upright', async () => {
  expect(await quarters()).toEqual(['red', 'green', 'blue', 'gray']);
  expect(readHeif(writeHeif())).toMatchObject({ ...tileSize, storedPixels: 96 * 64, profile: undefined });
});

test.each<[HeifSpec, string[]]>([
  [{ turns: 0 }, ['red', 'green', 'blue', 'gray']],
  [{ turns: 1 }, ['green', 'gray', 'red', 'blue']],
  [{ turns: 2 }, ['gray', 'blue', 'green', 'red']],
  [{ turns: 3 }, ['blue', 'red', 'gray', 'green']],
  [{ isMirrored: true }, ['green', 'red', 'gray', 'blue']],
  [{ turns: 3, isMirrored: true }, ['red', 'blue', 'green', 'gray']],
])('%j is applied once, also if EXIF repeats it', async (spec, expected) => {
  expect(await quarters(spec)).toEqual(expected);
  for (const orientation of [3, 6, 8]) expect(await quarters({ ...spec, orientation })).toEqual(expected);
});

test('a grid of tiles is one image', async () => {
  const grid = { columns: 3, rows: 2 };
  const file = writeHeif({ grid });
  expect(fault(file)).toBe('288 x 128');
  const top = ['red', 'green', 'red', 'green', 'red', 'green'];
  const bottom = ['blue', 'gray', 'blue', 'gray', 'blue', 'gray'];
  expect(await cells(file, 6, 4)).toEqual([...top, ...bottom, ...top, ...bottom]);
  // Cut off at the right and bottom, as those of phones are.
  expect(fault(writeHeif({ grid, size: { width: 250, height: 100 } }))).toBe('250 x 100');
  expect(fault(writeHeif({ grid, turns: 1 }))).toBe('128 x 288');
});

test.each([
  ...['heic', 'heix', 'heim', 'heis', 'mif1', 'mif2', 'miaf'].map((brand) => [brand, '96 x 64']),
  ...['hevc', 'hevx', 'hevm', 'hevs', 'msf1'].map((brand) => [brand, 'sequence']),
  ...['avif', 'avis', 'isom', 'mp42', 'crx '].map((brand) => [brand, 'format']),
])('a file whose first brand is %s: %s', (brand, outcome) => {
  const file = writeHeif();
  file.write(brand, 8, 'latin1');
  expect(fault(file)).toBe(outcome);
});

test('a color profile is applied as in a PNG', async () => {
  const { icc } = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#123' } })
    .withIccProfile('p3')
    .png()
    .toBuffer()
    .then((png) => sharp(png).metadata());
  const profile = icc as Buffer;
  expect(readHeif(writeHeif({ profile })).profile).toEqual(profile);
  const [plain, wide] = await Promise.all(
    [{}, { profile }].map(async (spec) => (await openImage(writeHeif(spec), maxSide)).at(20, 10)),
  );
  // Red of Display P3 is outside of sRGB, in which it has more red and less green.
  expect(plain?.[0]).toBeGreaterThan(190);
  expect((wide?.[0] ?? 0) - (plain?.[0] ?? 0)).toBeGreaterThan(8);
  expect((wide?.[1] ?? 0) - (plain?.[1] ?? 0)).toBeLessThan(-5);
  const grid = { columns: 2, rows: 1 };
  expect(readHeif(writeHeif({ grid, tileProfile: profile })).profile).toEqual(profile);
  const broken = Buffer.from(profile.subarray(0, 50));
  expect((await openImage(writeHeif({ profile: broken }), maxSide)).width).toBe(96);
});

test('a photograph of a phone’s format has the colors of its source', async () => {
  const source = join(__dirname, '../../../test/corpus/portrait.webp');
  const [image, expected] = await Promise.all([
    openImage(portrait, 400),
    openImage(readFileSync(source), 400),
  ]);
  expect([image.width, image.height]).toEqual([expected.width, expected.height]);
  let difference = 0;
  for (let y = 0; y < image.height; y += 5)
    for (let x = 0; x < image.width; x += 5)
      image.at(x, y).forEach((value, i) => {
        difference += Math.abs(value - (expected.at(x, y)[i] as number));
      });
  expect(difference / (3 * 80 * 100)).toBeLessThan(8);
});

describe('refuses', () => {
  test('files of the same container with other content', () => {
    expect(fault(writeHeif({ brand: 'avif', type: 'av01' }))).toBe('format');
    expect(fault(writeHeif({ type: 'av01' }))).toBe('format');
    expect(fault(writeHeif({ brand: 'mif1', type: 'av01' }))).toBe('format');
    expect(fault(writeHeif({ type: 'iovl' }))).toBe('format');
    expect(fault(Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'))).toBe('corrupt');
  });

  test('sizes above the limits, before anything is decoded', () => {
    expect(fault(writeHeif({ size: { width: 0xffffffff, height: 0xffffffff } }))).toBe('side');
    expect(fault(writeHeif({ size: { width: 5_001, height: 5_000 } }))).toBe('dimensions');
    const grid = { columns: 2, rows: 2 };
    expect(fault(writeHeif({ grid, size: { width: 60_000, height: 60_000 } }))).toBe('dimensions');
  });

  test('more tiles than the image needs, whose transparency counts, too', () => {
    const grid = { columns: 2, rows: 2 };
    const tile = { width: 2_500, height: 2_500 };
    const size = { width: 5_000, height: 5_000 };
    // The pixels are those of other tiles, so a file that passes the check fails only when it is decoded.
    const spent = (spec: HeifSpec) => {
      const spend = jest.fn();
      expect(() => decodeHeif(writeHeif(spec), { spend })).toThrow(ImageError);
      return spend.mock.calls.length;
    };
    expect(spent({ grid, tile, size })).toBe(1);
    expect(spent({ grid: { columns: 7, rows: 1 }, tile, size })).toBe(0);
    // cspell:ignore cicp hdrgainmap
    const alpha = 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha';
    expect(spent({ grid, tile, size, auxiliary: alpha })).toBe(0);
    // The decoder leaves other auxiliary images alone.
    expect(spent({ grid, tile, size, auxiliary: 'urn:com:apple:photo:2020:aux:hdrgainmap' })).toBe(1);
  });

  test('more references between items than an image has tiles', () => {
    const describing = { items: 1, references: 1 };
    const auxiliary = 'urn:com.example:map';
    expect(fault(writeHeif({ auxiliary, describing }))).toBe('96 x 64');
    for (const more of [{ items: 9_999 }, { references: 9_999 }]) {
      expect(readHeif(writeHeif({ auxiliary, describing: { ...describing, ...more } })).width).toBe(96);
    }
    for (const more of [{ items: 10_001 }, { references: 10_001 }, { tiles: 20_000 }]) {
      expect(fault(writeHeif({ auxiliary, describing: { ...describing, ...more } }))).toBe('corrupt');
    }
  });

  test('tiles that are far larger than the image', () => {
    const grid = { columns: 2, rows: 2 };
    expect(fault(writeHeif({ grid, tile: { width: 60_000, height: 60_000 } }))).toBe('corrupt');
    const many = { columns: 100, rows: 100 };
    expect(fault(writeHeif({ grid: many, size: tileSize }))).toBe('corrupt');
  });

  test('an image without pixels', () => {
    expect(fault(writeHeif({ size: { width: 0, height: 64 } }))).toBe('corrupt');
  });

  test('an image whose decoded size differs from the size in its header', () => {
    expect(fault(writeHeif({ size: { width: 8, height: 8 } }))).toBe('corrupt');
  });

  test('an image that takes more memory than it may', () => {
    const file = writeHeif({ grid: { columns: 30, rows: 30 } });
    expect(fault(file)).toBe('2880 x 1920');
    expect(fault(file, 24 * 1024 * 1024)).toBe('corrupt');
  });

  test('a grid with fewer tiles than it needs', () => {
    expect(fault(writeHeif({ grid: { columns: 2, rows: 1 }, size: { width: 4_000, height: 4_000 } }))).toBe(
      'corrupt',
    );
  });

  test('files cut anywhere, as truncated where a part is missing', () => {
    const faults = new Set<string>();
    for (let length = 0; length < portrait.length; length += 1 + Math.floor(portrait.length / 300)) {
      const outcome = fault(portrait.subarray(0, length));
      faults.add(outcome);
      if (length > 1_000) expect(outcome).toBe('truncated');
    }
    expect([...faults].sort()).toEqual(['corrupt', 'format', 'truncated']);
  });
});
