import { createHash } from 'node:crypto';
import { generateKey, hashKey } from './api-key';

/** A second implementation, as in a secret scanner: the form of issued keys never changes. */
function checksumOf(body: string): string {
  const alphabet = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
  const digest = createHash('sha256').update(body).digest('hex');
  let rest = BigInt(`0x${digest.slice(0, 12)}`) % 62n ** 6n;
  let text = '';
  for (; text.length < 6; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
  return text;
}

test('keys have the documented form, differ, and carry their checksum', () => {
  const keys = Array.from({ length: 200 }, () => generateKey('live'));
  expect(new Set(keys).size).toBe(keys.length);
  for (const key of keys) {
    expect(key).toMatch(/^presenza_live_[0-9A-Za-z]{36}$/);
    expect(key.slice(-6)).toBe(checksumOf(key.slice(0, -6)));
  }
  expect(generateKey('test')).toMatch(/^presenza_test_/);
  expect(checksumOf(`presenza_live_${'0'.repeat(30)}`)).toBe('Df5ZwD');
});

test('the hash depends on the secret', () => {
  const key = generateKey('live');
  expect(hashKey(key, '00'.repeat(32))).toMatch(/^[0-9a-f]{64}$/);
  expect(hashKey(key, '00'.repeat(32))).not.toBe(hashKey(key, '11'.repeat(32)));
});
