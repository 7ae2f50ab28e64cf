import { OperatorError } from '../../errors';
import { type KeyRecord, type KeyScope, narrowed } from './key-records';

const maker = (scope: KeyScope): KeyRecord => ({
  ...scope,
  id: 'key_1',
  accountId: 'acc_1',
  mode: 'live',
  hash: '',
  createdAt: 0,
});

const limits: KeyScope = { products: ['faceDetection'], cidrs: ['192.0.2.0/24'], expiresAt: 9 };

test('a key has the limits of its maker unless it has its own', () => {
  expect(narrowed(maker(limits), { name: 'Shop' })).toEqual({ ...limits, name: 'Shop' });
  const scope: KeyScope = { products: ['faceDetection'], cidrs: ['192.0.2.7'], expiresAt: 8 };
  expect(narrowed(maker(limits), scope)).toEqual(scope);
  expect(narrowed(maker({ name: 'Maker' }), scope)).toEqual(scope);
  expect(narrowed(maker({ name: 'Maker' }), {})).toEqual({});
});

test.each<[string, KeyScope]>([
  ['products', { products: ['faceDetection', 'faceComparison'] }],
  ['addresses', { cidrs: ['192.0.2.7', '192.0.3.0/24'] }],
  ['time', { expiresAt: 10 }],
  ['rights to audit images', { auditImages: true }],
])('a key has no more %s than its maker', (_what, scope) => {
  expect(() => narrowed(maker(limits), scope)).toThrow(OperatorError);
});
