import { fill } from './fill';

test('values replace their names, with formatted numbers', () => {
  expect(fill('{a} of {b}, {a}', { a: 10_000, b: '$&' })).toBe('10,000 of $&, 10,000');
});

test('a name without a value is an error', () => {
  expect(() => fill('{a} of {b}', { a: 1 })).toThrow('{b}');
});
