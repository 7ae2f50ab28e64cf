import { twoDecimals } from './text';

test('a value is never rounded up to a threshold', () => {
  expect([0.799, 0.8, 0.29, 1, 0].map(twoDecimals)).toEqual(['0.79', '0.80', '0.29', '1.00', '0.00']);
});
