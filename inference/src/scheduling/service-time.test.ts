import { ServiceTime } from './service-time';

const learned = (...observations: [weight: number, durationMs: number][]) => {
  const time = new ServiceTime();
  for (const [weight, durationMs] of observations) time.observe(weight, durationMs);
  return time;
};

test('predicts nothing before the first item', () => {
  expect(new ServiceTime().predictMs(8)).toBe(0);
});

test('finds the cost of each unit of weight and of each item', () => {
  const { perWeightMs, baseMs } = learned([1, 15], [2, 25], [4, 45], [3, 35]).fit();
  expect(perWeightMs).toBeCloseTo(10, 6);
  expect(baseMs).toBeCloseTo(5, 6);
});

test('from items of one weight predicts that weight exactly and larger ones in proportion', () => {
  const time = learned([2, 30], [2, 30]);
  expect(time.predictMs(2)).toBeCloseTo(30, 6);
  expect(time.predictMs(4)).toBeCloseTo(60, 6);
});

test('noise never makes a cost negative', () => {
  expect(learned([1, 50], [4, 20]).fit()).toMatchObject({ perWeightMs: 0 });
  expect(learned([1, 1], [4, 100]).fit()).toMatchObject({ baseMs: 0 });
});

test('follows a machine that slows down', () => {
  const time = learned([1, 10], [2, 20], [4, 40]);
  for (let i = 0; i < 100; i++) time.observe((i % 4) + 1, 30 * ((i % 4) + 1));
  expect(time.predictMs(1)).toBeCloseTo(30, 0);
});
