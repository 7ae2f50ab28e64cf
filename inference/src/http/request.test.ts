import limits from '@presenza/contract/limits.json';
import type { Request } from 'express';
import { maxBodyBytes, readParts } from './request';

const { maxBytes } = limits.image;
const withBody = (body: unknown, lengths?: string) =>
  ({ body, get: (name: string) => (name === 'x-part-lengths' ? lengths : undefined) }) as unknown as Request;
const texts = (parts: Uint8Array[]) => parts.map((part) => Buffer.from(part).toString());

test('splits a body at the announced lengths without copying', () => {
  const parts = readParts(withBody(Buffer.from('onetwothree'), '3, 3,5'), { min: 2, max: 64 });
  expect(texts(parts)).toEqual(['one', 'two', 'three']);
  expect(new Set(parts.map(({ buffer }) => buffer)).size).toBe(1);
});

test('without the header the body is one image; none at all is an empty one', () => {
  expect(texts(readParts(withBody(Buffer.from('image')), { min: 1, max: 1 }))).toEqual(['image']);
  expect(texts(readParts(withBody({}), { min: 1, max: 1 }))).toEqual(['']);
});

test.each([
  ['too few', 'ab', '2', 2, 4],
  ['too many', 'abc', '1,1,1', 1, 2],
  ['another sum', 'abc', '1,1', 1, 4],
  ['no numbers', 'abc', 'a,b', 1, 4],
  ['negative ones', 'abc', '4,-1', 1, 4],
  ['an empty header', 'abc', '', 1, 4],
])('%s is refused', (_name, body, lengths, min, max) => {
  expect(() => readParts(withBody(Buffer.from(body), lengths), { min, max })).toThrow('x-part-lengths');
});

test('accepts at most 65 parts, regardless of the route', () => {
  const lengths = Array.from({ length: 66 }, () => '1').join(',');
  expect(() => readParts(withBody(Buffer.alloc(66), lengths), { min: 1, max: 100 })).toThrow('1 to 65');
  expect(maxBodyBytes({ min: 1, max: 100 })).toBe(65 * maxBytes);
});

test('limits each part to the largest image size', () => {
  const body = Buffer.alloc(maxBytes + 2);
  expect(() => readParts(withBody(body, `${maxBytes + 1},1`), { min: 2, max: 2 })).toThrow('larger');
  expect(readParts(withBody(body, `${maxBytes},2`), { min: 2, max: 2 })).toHaveLength(2);
});
