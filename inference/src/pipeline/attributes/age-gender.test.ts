import { ageRangeOf, genderOf } from './age-gender';

test.each([
  [33.4, 26, 40],
  [3, 0, 10],
  [118, 111, 120],
])('the range around %d years', (age, low, high) => {
  expect(ageRangeOf(age)).toEqual({ low, high });
});

test('gender is the likelier one, with its probability', () => {
  expect(genderOf([0.75, 0.25])).toEqual({ value: 'male', confidence: 0.75 });
  expect(genderOf([0.25, 0.75])).toEqual({ value: 'female', confidence: 0.75 });
});
