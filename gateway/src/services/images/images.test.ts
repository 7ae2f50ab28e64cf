import type { AppError } from '../../errors';
import { decodeImage } from './images';

const jpeg = (size: number) => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(size - 3, 0xa5)]);
const decode = (text: string) => decodeImage(`data:image/jpeg;base64,${text}`, 'image');
const isRefused = (text: string) => {
  try {
    decode(text);
    return false;
  } catch (error) {
    return (error as AppError).body.reason === 'base64';
  }
};

// One size for each amount of padding.
describe.each([9, 10, 11])('%i bytes', (size) => {
  const text = jpeg(size).toString('base64');

  test('come back, with and without padding', () => {
    expect(decode(text)).toEqual(jpeg(size));
    expect(decode(text.replaceAll('=', ''))).toEqual(jpeg(size));
  });

  test.each(['\n', ' ', '!', '-', '_', '=', '\u0141', '\u{1f642}'])('%j is refused at any place', (wrong) => {
    for (let i = 0; i < text.replaceAll('=', '').length; i++) {
      expect([i, isRefused(text.slice(0, i) + wrong + text.slice(i))]).toEqual([i, true]);
      expect([i, isRefused(text.slice(0, i) + wrong + text.slice(i + 1))]).toEqual([i, true]);
    }
    expect(isRefused(text + wrong)).toBe(true);
  });

  test('a single character too many, and padding too long', () => {
    expect(isRefused(`${text.replaceAll('=', '')}====`)).toBe(true);
    expect(isRefused(`${jpeg(9).toString('base64')}A`)).toBe(true);
  });
});
