import limits from '@presenza/contract/limits.json';
import { type SelectedFrames, selectFrame } from './frame-selection';

/** @param counts of frames in each step */
function selectAll(counts: readonly number[], steps = 4) {
  let selected: SelectedFrames = [];
  const dropped: number[] = [];
  let number = 0;
  for (const [step, count] of counts.entries()) {
    for (let i = 0; i < count; i++) {
      const result = selectFrame(selected, step, ++number, steps);
      selected = result.selected;
      if (result.dropped !== undefined) dropped.push(result.dropped);
    }
  }
  return { selected, dropped };
}

test.each([4, 5, 6, 8, 10])('selects at most 64 frames in %d steps, at least 6 of each', (steps) => {
  const { selected } = selectAll(Array(steps).fill(30), steps);
  expect(selected.flat().length).toBeLessThanOrEqual(limits.liveness.attempt.maxFramesKept);
  expect(Math.min(...selected.map((numbers) => numbers.length))).toBeGreaterThanOrEqual(6);
});

test('selects all of a few frames', () => {
  expect(selectAll([5, 3, 4])).toEqual({
    selected: [
      [1, 2, 3, 4, 5],
      [6, 7, 8],
      [9, 10, 11, 12],
    ],
    dropped: [],
  });
});

test.each([[[400]], [[5, 395]], [[200, 5, 190, 5]], [[100, 100, 100, 100]]])(
  'selects frames evenly from steps of %j frames',
  (counts) => {
    const { selected, dropped } = selectAll(counts);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const numbers = selected.flat();
    expect(numbers.length).toBeLessThanOrEqual(64);
    // Each frame is either selected or dropped.
    expect([...numbers, ...dropped].sort((a, b) => a - b)).toEqual(
      Array.from({ length: total }, (_, i) => i + 1),
    );
    // Each step has only its own frames, in order, and at least its newest ones.
    let begin = 1;
    for (const [step, count] of counts.entries()) {
      const ofStep = selected[step] ?? [];
      expect(ofStep.every((number) => number >= begin && number < begin + count)).toBe(true);
      expect(ofStep).toEqual([...ofStep].sort((a, b) => a - b));
      expect(ofStep.length).toBeGreaterThanOrEqual(Math.min(count, 10));
      begin += count;
    }
  },
);

test('selects the first frame of a long step, its newest, and evenly spaced ones between', () => {
  const [, step = []] = selectAll([1, 300]).selected;
  expect(step[0]).toBe(2);
  expect(step.slice(-8)).toEqual([294, 295, 296, 297, 298, 299, 300, 301]);
  const old = step.slice(0, -8);
  const gaps = old.slice(1).map((number, i) => number - (old[i] as number));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(2 * Math.min(...gaps) + 1);
});

test('selects the newest frames of the first step', () => {
  expect(selectAll([30]).selected[0]).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
});

test('inserts an overtaken frame in order', () => {
  const { selected } = selectFrame([[1, 2, 4]], 0, 3, 4);
  expect(selected).toEqual([[1, 2, 3, 4]]);
});
