import { distanceFrom } from './ages.mjs';
import { groupFrom, groupOf } from './labeled-ages.mjs';

test('an estimate outside of an age group is off by the years to its nearer end', () => {
  expect([17, 20, 25, 29, 33].map((age) => distanceFrom(age, 20, 29))).toEqual([-3, 0, 0, 0, 4]);
  expect([62, 90].map((age) => distanceFrom(age, 70, Number.POSITIVE_INFINITY))).toEqual([-8, 0]);
  expect(distanceFrom(41.5, 40, 40)).toBe(1.5);
});

test('labels of FairFace become the ages that they allow', () => {
  expect(groupFrom('0-2')).toEqual({ group: '0 to 2', from: 0, to: 2 });
  expect(groupFrom('70+')).toEqual({ group: '70 and over', from: 70, to: Number.POSITIVE_INFINITY });
});

test('the groups of known ages meet without a gap', () => {
  expect([29, 30, 44, 45, 59, 60].map(groupOf)).toEqual([
    'under 30',
    '30 to 44',
    '30 to 44',
    '45 to 59',
    '45 to 59',
    '60 and over',
  ]);
});
