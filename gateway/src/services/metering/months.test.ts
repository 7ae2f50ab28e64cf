import { daysOf, endOf, monthOf, shift, startOf } from './months';

test('months are those of UTC', () => {
  expect(monthOf(Date.UTC(2026, 0, 31, 23, 59, 59, 999))).toBe('2026-01');
  expect(monthOf(Date.UTC(2026, 1, 1))).toBe('2026-02');
  expect(startOf('2026-02')).toBe(Date.UTC(2026, 1, 1));
  expect(endOf('2026-12')).toBe(Date.UTC(2027, 0, 1));
});

test.each([
  ['2026-01', 1, '2026-02'],
  ['2026-12', 1, '2027-01'],
  ['2026-01', -1, '2025-12'],
  ['2026-03', -12, '2025-03'],
  ['2026-05', 0, '2026-05'],
])('%s and %i more is %s', (month, by, expected) => {
  expect(shift(month, by)).toBe(expected);
});

test.each([
  ['2026-02', 28],
  ['2028-02', 29],
  ['2026-04', 30],
  ['2026-12', 31],
])('%s has %i days', (month, days) => {
  expect(daysOf(month)).toBe(days);
});
