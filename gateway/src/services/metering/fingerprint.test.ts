import { fingerprint } from './fingerprint';

const of = (parameters: unknown, operation = 'detect') => fingerprint(operation, parameters);

test('the order of fields means nothing, that of a list does', () => {
  expect(of({ a: 1, b: ['x', 'y'] })).toBe(of({ b: ['x', 'y'], a: 1 }));
  expect(of({ b: ['x', 'y'] })).not.toBe(of({ b: ['y', 'x'] }));
});

test('bytes are reported by their content, however they lie in memory', () => {
  const bytes = Buffer.from('abcd');
  expect(of({ image: bytes.subarray(1, 3) })).toBe(of({ image: Uint8Array.of(98, 99) }));
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
])('%j is not %j', (one, other) => {
  expect(of(one)).not.toBe(of(other));
});

test('another operation is another request', () => {
  expect(of({}, 'detect')).not.toBe(of({}, 'moderate'));
});
