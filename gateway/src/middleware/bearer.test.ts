import { bearerOf } from './bearer';

const bearer = (authorization?: string) => bearerOf({ headers: { ...(authorization && { authorization }) } });

test.each([
  'Bearer key_1-a',
  'bearer key_1-a',
  'BEARER key_1-a',
  'Bearer  key_1-a',
  `Bearer${' '.repeat(99)}key_1-a`,
])('%j is the key', (header) => {
  expect(bearer(header)).toBe('key_1-a');
});

test.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'key_1',
  'Bearerkey_1',
  'Basic key_1',
  'Bearer\tkey_1',
  ' Bearer key_1',
  'Bearer key_1, Bearer key_2',
  'Bearer key_1 key_2',
  'Bearer key=1',
  `Bearer ${'k'.repeat(1_025)}`,
])('%j is no key', (header) => {
  expect(bearer(header)).toBe('');
});

test('a long run of spaces takes linear time', () => {
  const begin = performance.now();
  expect(bearer(`Bearer${' '.repeat(256_000)}!`)).toBe('');
  // Quadratic time would be tens of seconds.
  expect(performance.now() - begin).toBeLessThan(2_000);
});
