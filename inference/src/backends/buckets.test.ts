import { buckets, chunksOf } from './buckets';

test('a CPU takes any size up to its largest, without padding', () => {
  expect(chunksOf(3, buckets.cpu)).toEqual([{ start: 0, count: 3, size: 3 }]);
  expect(chunksOf(9, buckets.cpu)).toEqual([
    { start: 0, count: 4, size: 4 },
    { start: 4, count: 4, size: 4 },
    { start: 8, count: 1, size: 1 },
  ]);
});

test('a GPU takes fixed sizes and pads to the next larger one', () => {
  expect(chunksOf(1, buckets.cuda)).toEqual([{ start: 0, count: 1, size: 1 }]);
  expect(chunksOf(5, buckets.cuda)).toEqual([{ start: 0, count: 5, size: 8 }]);
  expect(chunksOf(35, buckets.cuda)).toEqual([
    { start: 0, count: 32, size: 32 },
    { start: 32, count: 3, size: 4 },
  ]);
});
