import products from '@presenza/contract/products.json';
import { AddressList } from '../../formats/addresses';
import { productIds } from '../contract/products';
import { termsOf } from '../plans/terms';
import type { Principal } from './keys';
import { permission } from './permissions';

const principal: Principal = {
  accountId: 'acc_1',
  keyId: 'key_1',
  mode: 'live',
  plan: 'free',
  terms: termsOf('free'),
};
const reasonOf = (principal: Principal, attempt: Parameters<typeof permission>[1]) =>
  permission(principal, attempt)?.body;

test('a key without limits may do everything', () => {
  for (const product of productIds)
    expect(permission(principal, { product, manages: true, address: '192.0.2.1' })).toBeUndefined();
});

test('a key may use its products, and the refusal names the other by its label', () => {
  const limited: Principal = { ...principal, products: ['faceDetection'] };
  expect(permission(limited, { product: 'faceDetection' })).toBeUndefined();
  for (const { id, label } of products.slice(1)) {
    expect(reasonOf(limited, { product: id as 'faceComparison' })).toEqual({
      code: 'PERMISSION_DENIED',
      reason: 'product',
      message: `This API key does not allow the product ${label}.`,
    });
  }
});

test('a key that is limited to products manages nothing', () => {
  const limited: Principal = { ...principal, products: productIds };
  expect(reasonOf(limited, { manages: true })?.reason).toBe('management');
  expect(reasonOf(limited, { manages: false })).toBeUndefined();
});

test('a key works from its addresses alone, and not from an unknown one', () => {
  const limited: Principal = { ...principal, cidrs: new AddressList(['192.0.2.0/24']) };
  expect(permission(limited, { address: '::ffff:192.0.2.9' })).toBeUndefined();
  expect(reasonOf(limited, { address: '198.51.100.1' })?.reason).toBe('address');
  expect(reasonOf(limited, { address: '' })?.reason).toBe('address');
});

test('a suspended account may do nothing', () => {
  expect(reasonOf({ ...principal, suspended: true }, {})?.reason).toBe('account');
});
