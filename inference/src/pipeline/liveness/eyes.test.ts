import { countBlinks, eyeOpenness } from './eyes';

test('the eye aspect ratio is height over width', () => {
  const points = new Float32Array(2 * 468);
  const set = (index: number, x: number, y: number) => points.set([x, y], 2 * index);
  // The right eye 30 wide and 9 high, the left one 30 wide and closed.
  for (const [index, x, y] of [
    [33, 0, 0],
    [160, 10, -5],
    [158, 20, -4],
    [133, 30, 0],
    [153, 20, 4],
    [144, 10, 5],
    [263, 90, 0],
    [387, 80, 0],
    [385, 70, 0],
    [362, 60, 0],
    [380, 70, 0],
    [373, 80, 0],
  ] as const)
    set(index, x, y);
  const { left, right } = eyeOpenness(points);
  expect(right).toBeCloseTo(0.3);
  expect(left).toBe(0);
});

test.each([
  ['eyes that stay open', [0.3, 0.28, 0.31, 0.3, 0.29], 0],
  ['one frame closed', [0.3, 0.3, 0.12, 0.3, 0.3], 1],
  ['a long blink', [0.3, 0.3, 0.12, 0.1, 0.13, 0.3, 0.3, 0.3], 1],
  ['two blinks', [0.3, 0.1, 0.3, 0.3, 0.3, 0.1, 0.3], 2],
  ['narrow eyes blink too', [0.2, 0.2, 0.1, 0.2, 0.2], 1],
  ['closed at the beginning or the end is no blink', [0.1, 0.3, 0.3, 0.3, 0.1], 0],
  ['no frames', [], 0],
])('%s', (_name, openness, blinks) => {
  expect(countBlinks(openness)).toBe(blinks);
});
