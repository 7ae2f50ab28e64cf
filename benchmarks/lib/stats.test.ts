import { clopperPearson, deviation, growthOf, meanInterval, median, percentile, spread } from './stats.mjs';

test('median and percentiles interpolate and do not change their input', () => {
  const values = [9, 1, 5, 3];
  expect(median(values)).toBe(4);
  expect(values).toEqual([9, 1, 5, 3]);
  const hundred = Array.from({ length: 101 }, (_, i) => 100 - i);
  expect([0, 50, 95, 99, 100].map((p) => percentile(hundred, p))).toEqual([0, 50, 95, 99, 100]);
  expect(percentile([7], 99)).toBe(7);
  expect(percentile([0, 10], 25)).toBe(2.5);
});

test('a percentile of nothing is an error, not a number', () => {
  expect(() => percentile([], 50)).toThrow(/at least one value/);
});

test('spread keeps every repetition', () => {
  expect(spread([4, 2, 6])).toEqual({ median: 4, min: 2, max: 6, values: [4, 2, 6] });
  expect([deviation([4, 2, 6]), deviation([4])]).toEqual([2, 0]);
});

test('growth is a line through the means of stretches, with an interval for their number', () => {
  // Three equal samples of each stretch add nothing to one of them.
  const line = (stretches: number, each: number) =>
    growthOf(
      Array.from({ length: stretches * each }, (_, i) => {
        const stretch = Math.floor(i / each);
        return { x: stretch, y: 2 * stretch + (stretch % 2) };
      }),
    );
  const [single, three] = [line(12, 1), line(12, 3)];
  expect(three).toEqual(single);
  // Residuals of an alternating 0 and 1: xx = 143, slope 2 + 3 / 143, and t of 10 degrees of freedom.
  expect(single.slope).toBeCloseTo(2 + 3 / 143, 9);
  expect(single.error).toBeCloseTo(2.2281 * Math.sqrt((3 - 9 / 143) / 10 / 143), 4);
  // Six stretches have xx = 17.5, slope 2 + 1.5 / 17.5, and t of 4.
  expect(line(6, 1).error).toBeCloseTo(2.7764 * Math.sqrt((1.5 - 1.5 ** 2 / 17.5) / 4 / 17.5), 4);
});

test('growth of too few samples is an error', () => {
  const points = [1, 2, 3, 4, 5].map((x) => ({ x, y: x }));
  expect(() => growthOf(points)).toThrow(/needs 6 samples and there are 5/);
});

test('the interval of a mean is that of the textbook', () => {
  // t of 2 degrees of freedom is 4.3027, and the standard error 2 / sqrt(3).
  const { mean: middle, interval } = meanInterval([4, 2, 6]);
  expect(middle).toBe(4);
  expect(interval).toEqual([expect.closeTo(4 - 4.9683, 4), expect.closeTo(4 + 4.9683, 4)]);
  expect(() => meanInterval([4])).toThrow(/at least two/);
});

test('the interval of a proportion is that of the textbook', () => {
  const [lower, upper] = clopperPearson(8, 10);
  expect(lower).toBeCloseTo(0.4439, 4);
  expect(upper).toBeCloseTo(0.9748, 4);
  const [low, high] = clopperPearson(1786, 1800);
  expect(low).toBeCloseTo(0.987, 3);
  expect(high).toBeCloseTo(0.9957, 4);
});

test('a proportion of none or all has a one-sided bound, near the rule of three', () => {
  expect(clopperPearson(0, 30)).toEqual([0, expect.closeTo(0.095, 4)]);
  expect(clopperPearson(27, 27)).toEqual([expect.closeTo(0.895, 3), 1]);
  expect(clopperPearson(0, 1000)[1]).toBeCloseTo(3 / 1000, 4);
});
