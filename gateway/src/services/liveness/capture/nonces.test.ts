import { DataKey } from '../session/data-key';
import { nonceOf, numberOf } from './nonces';

const key = DataKey.create();
const attempt = 'att_O8KhR1CUcwkvSelwdNUi';

test('recovers the number of a nonce with the key', () => {
  for (const number of [1, 2, 10, 400, 402]) {
    const nonce = nonceOf(key, attempt, number);
    expect(nonce).toMatch(/^[0-9A-Za-z_-]{16,64}$/);
    expect(numberOf(key, attempt, nonce)).toBe(number);
  }
});

test('rejects a nonce of another attempt, session or number', () => {
  const nonce = nonceOf(key, attempt, 7);
  expect(numberOf(key, 'att_O8KhR1CUcwkvSelwdNUj', nonce)).toBeUndefined();
  expect(numberOf(DataKey.create(), attempt, nonce)).toBeUndefined();
  expect(numberOf(key, attempt, nonce.replace('7-', '8-'))).toBeUndefined();
});

test.each([
  '',
  '7',
  '7-',
  'x-aaaaaaaaaaaaaaaaaaaaaa',
  '-1-aaaaaaaaaaaaaaaaaaaaaa',
  '7-aaaaaaaaaaaaaaaaaaaaa',
])('rejects %j', (text) => {
  expect(numberOf(key, attempt, text)).toBeUndefined();
});

test('matches a known value from openssl', () => {
  expect(nonceOf(DataKey.parse(Buffer.alloc(32, 1).toString('base64')), attempt, 3)).toBe(
    '3-uu-RB3jtPcOTPUEs1YnO_Q',
  );
});
