import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { jpegSize } from './jpeg-size';

const photograph = readFileSync(
  join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo', 'sample1.jpg'),
);

test.each([
  ['baseline', { progressive: false }],
  ['progressive', { progressive: true }],
])('reads the size of a %s JPEG', async (_name, options) => {
  const bytes = await sharp(photograph).resize(640, 480, { fit: 'fill' }).jpeg(options).toBuffer();
  expect(jpegSize(bytes)).toEqual({ width: 640, height: 480 });
});

test("reads the size of a camera's file with metadata", async () => {
  const { width, height } = await sharp(photograph).metadata();
  expect(jpegSize(photograph)).toEqual({ width, height });
});

test('never reads past the end of a truncated file', () => {
  const size = jpegSize(photograph);
  for (let length = 0; length < 700; length++) {
    expect([undefined, size]).toContainEqual(jpegSize(photograph.subarray(0, length)));
  }
});

test('rejects other formats and invalid lengths', async () => {
  expect(jpegSize(await sharp(photograph).png().toBuffer())).toBeUndefined();
  expect(jpegSize(Buffer.alloc(100, 0xff))).toBeUndefined();
  expect(jpegSize(Buffer.from('ffd8ffe00000ffe00000ffe0000000000000', 'hex'))).toBeUndefined();
  expect(jpegSize(Buffer.from('ffd8ffd9ffc0000b080010001001', 'hex'))).toBeUndefined();
});
