import limits from '@presenza/contract/limits.json';
import type { ApiError } from '../../errors';
import { decodeImage } from './images';

const jpeg = (size: number) => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(size - 3, 0xa5)]);
const decode = (text: string) => decodeImage(`data:image/jpeg;base64,${text}`, 'image');
const isRefused = (text: string) => {
  try {
    decode(text);
    return false;
  } catch (error) {
    return (error as ApiError).body.reason === 'base64';
  }
};

// One size for each amount of padding.
describe.each([9, 10, 11])('%i bytes', (size) => {
  const text = jpeg(size).toString('base64');

  test('come back, with and without padding', () => {
    expect(decode(text)).toEqual(jpeg(size));
    expect(decode(text.replaceAll('=', ''))).toEqual(jpeg(size));
  });

  test.each(['\n', '\r\n', '\n\n'])('with %j at any place', (lineEnd) => {
    for (let i = 0; i <= text.length; i++) {
      expect([i, decode(text.slice(0, i) + lineEnd + text.slice(i))]).toEqual([i, jpeg(size)]);
    }
  });

  test.each([' ', '\t', '\f', '\\n', '!', '-', '_', '=', '\u0141', '\u{1f642}'])(
    '%j is refused at any place',
    (wrong) => {
      for (let i = 0; i < text.replaceAll('=', '').length; i++) {
        expect([i, isRefused(text.slice(0, i) + wrong + text.slice(i))]).toEqual([i, true]);
        expect([i, isRefused(text.slice(0, i) + wrong + text.slice(i + 1))]).toEqual([i, true]);
      }
      expect(isRefused(text + wrong)).toBe(true);
    },
  );

  test('a single character too many, and padding too long', () => {
    expect(isRefused(`${text.replaceAll('=', '')}====`)).toBe(true);
    expect(isRefused(`${jpeg(9).toString('base64')}A`)).toBe(true);
  });
});

describe('data URIs', () => {
  const bytes = jpeg(300);
  const base64 = bytes.toString('base64');
  const reasonOf = (uri: string) => {
    try {
      decodeImage(uri, 'image');
      return undefined;
    } catch (error) {
      const { code, body } = error as ApiError;
      return `${code} ${body.reason}`;
    }
  };

  test.each([
    'data:image/jpeg;base64,',
    'data:image/heic;base64,',
    'data:image/svg+xml;base64,',
    'data:;base64,',
    'data:application/octet-stream;base64,',
    'data:text/plain;base64,',
    'DATA:Image/JPEG;BASE64,',
    'data:image/jpeg;charset=utf-8;base64,',
    'data:image/jpeg;name=a%20b.jpg;base64,',
  ])('the bytes define the format of %s', (prefix) => {
    expect(decodeImage(prefix + base64, 'image')).toEqual(bytes);
  });

  test.each([
    ['', 'empty'],
    ['data:image/jpeg;base64,', 'empty'],
    ['data:;base64,\r\n', 'empty'],
    [' ', 'dataUri'],
    [base64, 'dataUri'],
    [`data:${base64}`, 'dataUri'],
    [`data:image/jpeg,${base64}`, 'dataUri'],
    [`data:base64,${base64}`, 'dataUri'],
    [`data:image/jpeg;base64;${base64}`, 'dataUri'],
    [`data:${'x'.repeat(300)};base64,${base64}`, 'dataUri'],
    [`data:image/jpeg;base64,${base64.slice(0, 8)}%2F`, 'base64'],
    ['data:image/jpeg;base64,%%%', 'base64'],
    ['data:image/bmp;base64,Qk0=', 'format'],
  ])('%j is an invalid image, with the same code as every other', (uri, reason) => {
    expect(reasonOf(uri)).toBe(`INVALID_IMAGE ${reason}`);
  });

  test('the line breaks in 5 MB do not count', () => {
    const wrapped = (size: number) =>
      `data:;base64,${jpeg(size).toString('base64').replace(/.{76}/g, '$&\r\n')}`;
    expect(reasonOf(wrapped(limits.image.maxBytes))).toBeUndefined();
    expect(reasonOf(wrapped(limits.image.maxBytes + 1))).toBe('IMAGE_TOO_LARGE field');
  });
});
