import { kindOf, lastDays, leastMinutes, missingMinutes, shareOf } from './summary';

const now = Date.parse('2026-01-15T10:30:30Z');
const day = (date: string, available = 0, partial = 0, unavailable = 0) => ({
  date,
  available,
  partial,
  unavailable,
});

test.each([
  ['fine', day('2026-01-14', 1440)],
  ['fine', day('2026-01-14', 1435)],
  ['gaps', day('2026-01-14', 1434)],
  ['partial', day('2026-01-14', 1439, 1)],
  ['outage', day('2026-01-14', 1438, 1, 1)],
  ['none', day('2026-01-14')],
  // Today has 631 minutes so far.
  ['fine', day('2026-01-15', 631)],
  ['gaps', day('2026-01-15', 600)],
])('a day is %s: %j', (kind, measuredDay) => {
  expect(kindOf(measuredDay, now)).toBe(kind);
});

test('minutes are missing up to now, and never less than none', () => {
  expect(missingMinutes(day('2026-01-15', 600), now)).toBe(31);
  expect(missingMinutes(day('2026-01-14', 1400, 10, 10), now)).toBe(20);
  expect(missingMinutes(day('2026-01-15', 640), now)).toBe(0);
});

test('days without a measurement are among the last days', () => {
  const days = lastDays([day('2025-12-01', 9), day('2026-01-14', 7)], 3, now);
  expect(days).toEqual([day('2026-01-13'), day('2026-01-14', 7), day('2026-01-15')]);
});

test('there is a percentage only from a week of measured minutes on', () => {
  expect(shareOf([])).toEqual({ minutes: 0, percent: undefined });
  expect(shareOf([day('2026-01-14', leastMinutes - 1)])).toEqual({
    minutes: leastMinutes - 1,
    percent: undefined,
  });
  expect(shareOf([day('2026-01-14', leastMinutes)])).toEqual({ minutes: leastMinutes, percent: 100 });
});

test('the percentage is rounded down: one bad minute is never 100 %', () => {
  const quarter = 90 * 1440;
  expect(shareOf([day('2026-01-14', quarter - 1, 1)]).percent).toBe(99.99);
  expect(shareOf([day('2026-01-14', quarter - 1, 0, 1)]).percent).toBe(99.99);
  expect(shareOf([day('2026-01-14', 0, 0, quarter)]).percent).toBe(0);
});
