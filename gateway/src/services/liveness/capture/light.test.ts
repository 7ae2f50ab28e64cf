import { type CaptureLight, drawLight, lightColors, lightOf, lightView, withReport } from './light';

/** The general and red flash thresholds of WCAG 2.2, 2.3.1. */
const flashesPerSecond = 3;
const saturatedRed = 0.8;

test('changes color fewer than three times a second, and never to a saturated red', () => {
  expect(1_000 / lightView(drawLight()).colorMs).toBeLessThan(flashesPerSecond);
  for (const color of lightColors) {
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as [
      number,
      number,
      number,
    ];
    expect(red / (red + green + blue)).toBeLessThan(saturatedRed);
  }
});

test('draws colors for each attempt, of which no two in succession are alike', () => {
  const [first, second] = [drawLight().colors, drawLight().colors];
  expect(first).not.toEqual(second);
  expect(first.filter((color, i) => color === first[i - 1])).toEqual([]);
  expect(new Set(first)).toEqual(new Set(lightColors));
});

const light = (shownMs: CaptureLight['shownMs']): CaptureLight => ({
  colors: ['#ffb040', '#40a0ff', '#ffffff'],
  shownMs,
});
const frames = [
  { number: 1, timeMs: 400 },
  { number: 2, timeMs: 900 },
  { number: 4, timeMs: 9_400 },
];

test('names the color of each frame; the last color stays', () => {
  expect(lightOf(light({ 1: 100, 2: 650, 4: 9_000 }), frames)).toEqual({
    colors: [
      [255, 176, 64],
      [64, 160, 255],
      [255, 255, 255],
    ],
    shown: [
      { index: 0, sinceMs: 100 },
      { index: 1, sinceMs: 50 },
      { index: 2, sinceMs: 7_800 },
    ],
  });
});

test.each([
  ['without a challenge', undefined],
  ['if a frame has no report', light({ 1: 100, 2: 650 })],
  ['if the reported times go back', light({ 1: 700, 2: 650, 4: 9_000 })],
  ['if a report does not pass with the time of its frame', light({ 1: 100, 2: 650, 4: 7_900 })],
])('an attempt has no light %s', (_, reported) => {
  expect(lightOf(reported, frames)).toBeUndefined();
});

test('keeps the reports of the selected frames only', () => {
  const state = { kept: [[2], [5]], light: light({ 1: 100, 2: 300 }) };
  expect(withReport(state, 5, 900).light.shownMs).toEqual({ 2: 300, 5: 900 });
  expect(withReport(state, 5, undefined)).toBe(state);
  expect(withReport({ kept: [[1]] }, 1, 100)).toEqual({ kept: [[1]] });
});
