import { fingerprint } from './fingerprint';

const fingerprintOf = (parameters: unknown, operation = 'detect') => fingerprint(operation, parameters);

test('the order of fields means nothing, that of a list does', () => {
  expect(fingerprintOf({ a: 1, b: ['x', 'y'] })).toBe(fingerprintOf({ b: ['x', 'y'], a: 1 }));
  expect(fingerprintOf({ b: ['x', 'y'] })).not.toBe(fingerprintOf({ b: ['y', 'x'] }));
});

test('bytes are reported by their content, however they lie in memory', () => {
  const bytes = Buffer.from('abcd');
  expect(fingerprintOf({ image: bytes.subarray(1, 3) })).toBe(
    fingerprintOf({ image: Uint8Array.of(98, 99) }),
  );
});

test.each([
  [{ a: 'b' }, { ab: '' }],
  [{ a: '1' }, { a: 1 }],
  [{ a: 'x' }, { a: Buffer.from('x') }],
  [{ a: null }, { a: 'null' }],
  [['a', 'b'], ['ab']],
  [
    { a: ['b'], c: 1 },
    { a: ['b', 'c'], 1: 1 },
  ],
  [{}, []],
])('%j is not %j', (parameters, other) => {
  expect(fingerprintOf(parameters)).not.toBe(fingerprintOf(other));
});

test('another operation is another request', () => {
  expect(fingerprintOf({}, 'detect')).not.toBe(fingerprintOf({}, 'moderate'));
});
