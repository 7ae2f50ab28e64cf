import { generateKey, hashKey, isWellFormed } from './api-key';

test('keys have the documented form, differ, and carry their checksum', () => {
  const keys = Array.from({ length: 200 }, () => generateKey('live'));
  expect(new Set(keys).size).toBe(keys.length);
  for (const key of keys) {
    expect(key).toMatch(/^presenza_live_[0-9A-Za-z]{36}$/);
    expect(isWellFormed(key)).toBe(true);
  }
  expect(generateKey('test')).toMatch(/^presenza_test_/);
});

test('the checksum is pinned: keys issued once stay valid for ever', () => {
  expect(isWellFormed(`presenza_live_${'0'.repeat(30)}Df5ZwD`)).toBe(true);
});

test('a mistyped key is recognised without a look-up', () => {
  const key = generateKey('live');
  for (let i = 'presenza_live_'.length; i < key.length; i++) {
    const other = key[i] === 'x' ? 'y' : 'x';
    expect(isWellFormed(key.slice(0, i) + other + key.slice(i + 1))).toBe(false);
  }
  expect(isWellFormed(key.replace('live', 'test'))).toBe(false);
  expect(isWellFormed(`${key}0`)).toBe(false);
});

test('the hash depends on the secret', () => {
  const key = generateKey('live');
  expect(hashKey(key, '00'.repeat(32))).toMatch(/^[0-9a-f]{64}$/);
  expect(hashKey(key, '00'.repeat(32))).not.toBe(hashKey(key, '11'.repeat(32)));
});
