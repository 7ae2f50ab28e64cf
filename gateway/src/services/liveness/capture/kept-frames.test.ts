import { type KeptFrames, keep, mostKept } from './kept-frames';

/** @param counts of frames in each step, in turn */
function keepAll(counts: readonly number[]) {
  let kept: KeptFrames = [];
  const dropped: number[] = [];
  let number = 0;
  for (const [step, count] of counts.entries()) {
    for (let i = 0; i < count; i++) {
      const answer = keep(kept, step, ++number);
      kept = answer.kept;
      if (answer.dropped !== undefined) dropped.push(answer.dropped);
    }
  }
  return { kept, dropped };
}

test('as many as there is room for', () => {
  expect(mostKept(4)).toBe(64);
});

test('few frames are all kept', () => {
  expect(keepAll([5, 3, 4])).toEqual({
    kept: [
      [1, 2, 3, 4, 5],
      [6, 7, 8],
      [9, 10, 11, 12],
    ],
    dropped: [],
  });
});

test.each([[[400]], [[5, 395]], [[200, 5, 190, 5]], [[100, 100, 100, 100]]])('%j', (counts) => {
  const { kept, dropped } = keepAll(counts);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const numbers = kept.flat();
  expect(numbers.length).toBeLessThanOrEqual(64);
  // Each frame is kept or dropped, once.
  expect([...numbers, ...dropped].sort((a, b) => a - b)).toEqual(
    Array.from({ length: total }, (_, i) => i + 1),
  );
  // A step's own frames, rising, and at least as many of each as it had or as are never thinned out.
  let begin = 1;
  for (const [step, count] of counts.entries()) {
    const own = kept[step] ?? [];
    expect(own.every((one) => one >= begin && one < begin + count)).toBe(true);
    expect(own).toEqual([...own].sort((a, b) => a - b));
    expect(own.length).toBeGreaterThanOrEqual(Math.min(count, 10));
    begin += count;
  }
});

test('a long step keeps its first frame, its newest, and an even share of those between', () => {
  const [, step = []] = keepAll([1, 300]).kept;
  expect(step[0]).toBe(2);
  expect(step.slice(-8)).toEqual([294, 295, 296, 297, 298, 299, 300, 301]);
  const old = step.slice(0, -8);
  const gaps = old.slice(1).map((number, i) => number - (old[i] as number));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(2 * Math.min(...gaps) + 1);
});

test('of the first step the newest are kept', () => {
  expect(keepAll([30]).kept[0]).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
});

test('a frame that was overtaken finds its place', () => {
  const { kept } = keep([[1, 2, 4]], 0, 3);
  expect(kept).toEqual([[1, 2, 3, 4]]);
});
