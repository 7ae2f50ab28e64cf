import type { Request } from 'express';
import { parseFrames } from './frames-input';

const images = (count: number) => Array.from({ length: count }, (_, i) => Uint8Array.of(i));
const read = (count: number, headers: Readonly<Record<string, string>>) =>
  parseFrames(images(count), { get: (name: string) => headers[name] } as unknown as Request);

test('reads the time of each frame and the span of each challenge', () => {
  expect(read(3, { 'x-frame-times': '0, 66,66', 'x-challenges': 'left@500-3000, up@3000-5500' })).toEqual({
    frames: [
      { image: Uint8Array.of(0), timeMs: 0 },
      { image: Uint8Array.of(1), timeMs: 66 },
      { image: Uint8Array.of(2), timeMs: 66 },
    ],
    challenges: [
      { kind: 'left', fromMs: 500, toMs: 3000 },
      { kind: 'up', fromMs: 3000, toMs: 5500 },
    ],
    light: undefined,
    reference: undefined,
  });
});

test('reads the colors of the page and the one that each frame was taken under', () => {
  const headers = { 'x-light-colors': 'ffb040, 40a0ff', 'x-frame-lights': '0+120, 1+0' };
  expect(read(2, { 'x-frame-times': '0,66', ...headers }).light).toEqual({
    colors: [
      [255, 176, 64],
      [64, 160, 255],
    ],
    shown: [
      { index: 0, sinceMs: 120 },
      { index: 1, sinceMs: 0 },
    ],
  });
});

test.each([
  ['a single color', 'ffb040', '0+0,0+0', 'x-light-colors'],
  ['65 colors', Array.from({ length: 65 }, () => 'ffb040').join(','), '0+0,0+0', 'x-light-colors'],
  ['a color by name', 'red,40a0ff', '0+0,1+0', 'x-light-colors'],
  ['no colors', undefined, '0+0,1+0', 'x-light-colors'],
  ['no frames', 'ffb040,40a0ff', undefined, 'x-frame-lights'],
  ['fewer frames than times', 'ffb040,40a0ff', '0+0', 'x-frame-lights'],
  ['an unknown position', 'ffb040,40a0ff', '0+0,2+0', 'x-frame-lights'],
  ['a late time', 'ffb040,40a0ff', '0+0,1+600001', 'x-frame-lights'],
])('light with %s is refused', (_name, colors, lights, header) => {
  const light = { ...(colors && { 'x-light-colors': colors }), ...(lights && { 'x-frame-lights': lights }) };
  expect(() => read(2, { 'x-frame-times': '0,1', ...light })).toThrow(header);
});

test('reads one part more than times as the reference', () => {
  const { frames, challenges, reference } = read(3, { 'x-frame-times': '0,600000' });
  expect(frames).toHaveLength(2);
  expect(reference).toEqual(Uint8Array.of(2));
  expect(challenges).toEqual([]);
});

const many = (count: number) => Array.from({ length: count }, (_, i) => i).join(',');

test.each([
  ['none', 2, undefined],
  ['fewer than parts but one', 4, '0,1'],
  ['more than parts', 2, '0,1,2'],
  ['a single one', 1, '0'],
  ['65', 65, many(65)],
  ['falling ones', 3, '0,20,10'],
  ['fractions', 2, '0,1.5'],
  ['negative ones', 2, '-1,5'],
  ['words', 3, '0,soon,9'],
  ['too late', 2, '0,600001'],
])('times that are %s are refused', (_name, count, times) => {
  expect(() => read(count, times === undefined ? {} : { 'x-frame-times': times })).toThrow('x-frame-times');
});

test('accepts 64 frames and a reference', () => {
  expect(read(65, { 'x-frame-times': many(64) }).reference).toEqual(Uint8Array.of(64));
});

test.each([
  ['an unknown turn', 'wink@0-10'],
  ['no span', 'left'],
  ['a span that ends before it begins', 'left@10-5'],
  ['an empty span', 'left@5-5'],
  ['a late end', 'left@0-600001'],
  ['an empty header', ''],
  ['one good and one bad', 'left@0-10,up@'],
  ['seventeen', Array.from({ length: 17 }, (_, i) => `left@${i}-${i + 1}`).join(',')],
])('challenges with %s are refused', (_name, challenges) => {
  expect(() => read(2, { 'x-frame-times': '0,1', 'x-challenges': challenges })).toThrow('x-challenges');
});
