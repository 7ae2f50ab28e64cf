import { monthName, monthsSince } from './months';

const now = Date.parse('2027-01-31T23:00:00Z');

test('lists the months since an account exists, newest first', () => {
  expect(monthsSince('2026-11-30T23:59:59Z', 24, now)).toEqual(['2027-01', '2026-12', '2026-11']);
  expect(monthsSince('2020-01-01T00:00:00Z', 2, now)).toEqual(['2027-01', '2026-12']);
});

test('lists the current month even if the clock of the browser is late', () => {
  expect(monthsSince('2027-02-01T00:00:01Z', 24, now)).toEqual(['2027-01']);
});

test('names a month in UTC', () => {
  expect(monthName('2026-11')).toBe('November 2026');
});
