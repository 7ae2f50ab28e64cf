import sharp from 'sharp';
import { insert, jpegSegment } from '../../../test/corpus/containers';
import { forms } from '../../../test/corpus/forms';
import { photo } from '../../../test/photos';
import { plainSize, warnsOnlyOfDamage } from './jpeg';

test('warnings do not refuse intact files of cameras that cause warnings', async () => {
  const lenient = (await forms())
    .filter(({ name, bytes }) => name.includes('JPEG') && !warnsOnlyOfDamage(bytes))
    .map(({ name }) => name);
  expect(lenient).toEqual([
    'JPEG, unknown color transform',
    'JPEG, bytes between its segments',
    'JPEG, fill bytes before a segment',
    'JPEG, 0 bytes before each restart marker',
    'JPEG, 2 bytes before each restart marker',
    'JPEG, 7 bytes before each restart marker',
    'JPEG, scan parameters out of range',
  ]);
});

test('warnings refuse an ordinary photograph, but not one truncated in its header or empty', () => {
  expect(warnsOnlyOfDamage(photo(4))).toBe(true);
  for (const length of [0, 2, 3, 4, 50]) expect(warnsOnlyOfDamage(photo(4).subarray(0, length))).toBe(false);
});

describe('the plain size of a JPEG', () => {
  const encode = (options: sharp.JpegOptions = {}) => sharp(photo(4)).resize(96, 64).jpeg(options).toBuffer();

  test('is that of its frame, if no segment changes what the pixels show', async () => {
    const plain = await encode();
    expect(plainSize(plain)).toEqual({ width: 96, height: 64 });
    expect(plainSize(insert(plain, 2, jpegSegment(0xfe, Buffer.from('a comment'))))).toEqual({
      width: 96,
      height: 64,
    });
  });

  test.each([
    ['EXIF or XMP', 0xe1],
    ['a color profile', 0xe2],
    ['a color transform', 0xee],
    ['a marker that has no length', 0x01],
    ['a second image', 0xd8],
  ])('is unknown with %s', async (_, marker) => {
    expect(plainSize(insert(await encode(), 2, jpegSegment(marker, Buffer.alloc(12))))).toBeUndefined();
  });

  test('is unknown of progressive, gray and truncated files', async () => {
    expect(plainSize(await encode({ progressive: true }))).toBeUndefined();
    expect(plainSize(await sharp(photo(4)).toColorspace('b-w').jpeg().toBuffer())).toBeUndefined();
    const plain = await encode();
    for (let length = 0; length < plain.indexOf('\xff\xda', 'latin1'); length += 7) {
      expect(plainSize(plain.subarray(0, length))).toBeUndefined();
    }
  });
});
