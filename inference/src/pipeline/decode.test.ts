import sharp from 'sharp';
import { photo } from '../../test/photos';
import { decodeSquare, ImageError } from './decode';

const side = 64;

/** A picture of 80 x 40 whose left half is red and right half blue. */
const flag = () => {
  const half = (color: string) =>
    sharp({ create: { width: 40, height: 40, channels: 3, background: color } });
  return half('#f00').extend({ right: 40, background: '#00f' });
};

const pixelAt = (data: Uint8Array, x: number, y: number) => [
  ...data.subarray((y * side + x) * 3, (y * side + x) * 3 + 3),
];

async function fault(bytes: Uint8Array): Promise<string> {
  const error = await decodeSquare(bytes, side).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ImageError);
  return (error as ImageError).fault;
}

test('a picture is fitted to the top left and the rest is black', async () => {
  const { data, filled, width, height } = await decodeSquare(await flag().png().toBuffer(), side);
  expect([width, height, data.length]).toEqual([side, side, side * side * 3]);
  expect(filled).toEqual({ width: 1, height: 0.5 });
  expect(pixelAt(data, 4, 4)).toEqual([255, 0, 0]);
  expect(pixelAt(data, 60, 4)).toEqual([0, 0, 255]);
  expect(pixelAt(data, 4, 60)).toEqual([0, 0, 0]);
});

test.each([
  [1, { width: 1, height: 0.5 }, [4, 4], [60, 4]],
  [3, { width: 1, height: 0.5 }, [60, 4], [4, 4]],
  [6, { width: 0.5, height: 1 }, [4, 4], [4, 60]],
  [8, { width: 0.5, height: 1 }, [4, 60], [4, 4]],
])('EXIF orientation %i is applied', async (orientation, size, red, blue) => {
  const bytes = await flag()
    .withMetadata({ orientation })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
  const { data, filled } = await decodeSquare(bytes, side);
  expect(filled).toEqual(size);
  const [r, , b] = pixelAt(data, red[0] as number, red[1] as number) as [number, number, number];
  expect(r).toBeGreaterThan(240);
  expect(b).toBeLessThan(15);
  expect(
    (pixelAt(data, blue[0] as number, blue[1] as number) as [number, number, number])[2],
  ).toBeGreaterThan(240);
});

describe('every kind of the supported formats gives the same colours', () => {
  const kinds: Record<string, () => Promise<Buffer>> = {
    'lossless WebP': () => flag().webp({ lossless: true }).toBuffer(),
    'PNG with alpha': () => flag().ensureAlpha().png().toBuffer(),
    'PNG with 16 bits': () => flag().toColourspace('rgb16').png().toBuffer(),
    'PNG with a palette': () => flag().png({ palette: true }).toBuffer(),
    'progressive JPEG': () =>
      flag().jpeg({ quality: 100, progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
    'CMYK JPEG': () => flag().toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer(),
  };
  test.each(Object.keys(kinds))('%s', async (kind) => {
    const { data } = await decodeSquare(await (kinds[kind] as () => Promise<Buffer>)(), side);
    const [r, g, b] = pixelAt(data, 4, 4) as [number, number, number];
    expect(r).toBeGreaterThan(200);
    // CMYK cannot show a pure red.
    expect(Math.max(g, b)).toBeLessThan(kind.startsWith('CMYK') ? 60 : 15);
  });

  test('grey pictures come out as three equal channels', async () => {
    const { data } = await decodeSquare(await flag().greyscale().toColourspace('b-w').png().toBuffer(), side);
    const [r, g, b] = pixelAt(data, 4, 4);
    expect([g, b]).toEqual([r, r]);
  });

  test('the transparent part of a picture is white', async () => {
    const clear = sharp({
      create: { width: 8, height: 8, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    });
    expect(pixelAt((await decodeSquare(await clear.png().toBuffer(), side)).data, 4, 4)).toEqual([
      255, 255, 255,
    ]);
  });

  test('a picture of one pixel', async () => {
    const one = sharp({ create: { width: 1, height: 1, channels: 3, background: '#0f0' } });
    expect(pixelAt((await decodeSquare(await one.png().toBuffer(), side)).data, 30, 30)).toEqual([0, 255, 0]);
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
    expect(pixelAt((await decodeSquare(bytes, side)).data, 4, 4)).toEqual([255, 0, 0]);
  });
});

describe('a refusal says why', () => {
  test('other formats', async () => {
    expect(await fault(await flag().gif().toBuffer())).toBe('format');
    expect(await fault(await flag().tiff().toBuffer())).toBe('format');
    expect(await fault(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'))).toBe(
      'format',
    );
    expect(await fault(Buffer.from('no picture at all'))).toBe('format');
    expect(await fault(Buffer.alloc(0))).toBe('format');
  });

  test.each(['jpeg', 'png', 'webp'] as const)('%s cut short', async (format) => {
    const whole = await sharp(photo(4)).resize(300).toFormat(format).toBuffer();
    for (const part of [0.3, 0.9])
      expect(await fault(whole.subarray(0, whole.length * part))).toBe('truncated');
  });

  test('a damaged PNG', async () => {
    const bytes = await sharp(photo(4)).resize(300).png().toBuffer();
    bytes.fill(0x55, 3000, 3200);
    expect(await fault(bytes)).toBe('corrupt');
  });

  test('more pixels than any photograph, before anything is decoded', async () => {
    // 81 megapixels in a few kilobytes.
    const bomb = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#000' } })
      .png()
      .toBuffer();
    expect(bomb.length).toBeLessThan(1e6);
    const error = await decodeSquare(bomb, side).catch((thrown: ImageError) => thrown);
    expect(error).toMatchObject({ fault: 'dimensions', values: { width: 9000, height: 9000 } });
  });
});
