import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from '../../../gateway/harness/folders.mjs';
import { adminTokenIn, keySecretIn } from './secrets.mjs';

const hex = 'ab'.repeat(32);

it('generates each secret once', async () => {
  await withFolder((folder) => {
    for (const secretIn of [keySecretIn, adminTokenIn]) {
      expect(secretIn(folder)).toMatch(/^[0-9a-f]{64}$/);
      expect(secretIn(folder)).toBe(secretIn(folder));
    }
  });
});

it('keeps the secret of the keys in Redis, and refuses to replace a lost one', async () => {
  await withFolder((folder) => {
    const file = join(folder, 'key-secret');
    mkdirSync(join(folder, 'redis/appendonlydir'), { recursive: true });
    const refusal = `${file} is missing or empty, and no API key in ${folder}/redis works without its secret: put it back from a backup, set KEY_SECRET to it, or delete ${folder}/redis and ${file} to start without the accounts and keys.`;
    expect(() => keySecretIn(folder)).toThrow(refusal);
    expect(existsSync(file)).toBe(false);
    for (const empty of ['', '\n']) {
      writeFileSync(file, empty);
      expect(() => keySecretIn(folder)).toThrow(refusal);
      expect(readFileSync(file, 'utf8')).toBe(empty);
    }
    writeFileSync(file, `${hex}\n`);
    expect(keySecretIn(folder)).toBe(hex);
  });
});

it.each([
  ['key-secret', keySecretIn, 'put it back from a backup'],
  ['admin-token', adminTokenIn, 'delete '],
])('names a damaged %s', async (name, secretIn, remedy) => {
  await withFolder((folder) => {
    const file = join(folder, name);
    for (const damaged of ['garbage', hex.slice(1), hex.slice(2), `${hex}\0\0`]) {
      writeFileSync(file, damaged);
      expect(() => secretIn(folder)).toThrow(`${file} is damaged, because `);
      expect(() => secretIn(folder)).toThrow(remedy);
    }
  });
});
