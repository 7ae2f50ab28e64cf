import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '../../../gateway/harness/cli/settings.mjs';
import { withFolder } from '../../../gateway/harness/folders.mjs';
import { mayBeOfGpu, planTiers, removeDrafts } from './local-tiers.mjs';

it('starts a second Redis for the keys of sessions, unless REDIS_URL or REDIS_SESSION_KEYS_URL is set', () => {
  const given = 'redis://:p@h:1';
  const keysUrl = (env: NodeJS.ProcessEnv) =>
    planTiers(readSettings(env), { keySecret: 'k', adminToken: 't' }).sessionKeysUrl;
  expect(keysUrl({})).toMatch(/^redis:\/\/:\w+@127\.0\.0\.1:6391$/);
  expect(keysUrl({ REDIS_URL: given })).toBeUndefined();
  expect(keysUrl({ REDIS_SESSION_KEYS_URL: given })).toBe(given);
  expect(keysUrl({ REDIS_URL: 'redis://h:2', REDIS_SESSION_KEYS_URL: given })).toBe(given);
});

it('removes the drafts that a Redis leaves when it is killed during a rewrite', async () => {
  await withFolder(async (folder) => {
    for (const name of ['temp-16.aof', 'temp-17.rdb', 'dump.rdb'])
      writeFileSync(join(folder, name), 'erased');
    removeDrafts(folder);
    expect(readdirSync(folder)).toEqual(['dump.rdb']);
  });
});

it('gives each Redis that it starts a password that opens no other one', () => {
  const plan = () => planTiers(readSettings({}), { keySecret: 'k', adminToken: 't' });
  const passwords = [plan(), plan()].flatMap(({ redisUrl, sessionKeysUrl = '' }) =>
    [redisUrl, sessionKeysUrl].map((url) => new URL(url).password),
  );
  expect(new Set(passwords).size).toBe(4);
  for (const password of passwords) expect(password).toMatch(/^[0-9a-f]{48}$/);
});

it.each([
  ['an error before a device is used, such as a model that is not compiled', undefined, null, false],
  ['a crash before a device is chosen', undefined, 'SIGSEGV', true],
  ['a crash on a GPU', 'cuda', 'SIGSEGV', true],
  ['an error on a GPU', 'webgpu', null, true],
  ['a crash on the CPU, such as too little memory', 'cpu', 'SIGKILL', false],
  ['an error on the CPU', 'cpu', null, false],
  ['an error of TFJS on the CPU', 'wasm', null, false],
] as const)('suspects a GPU only where one may be the cause: %s', (_cause, device, signal, suspected) => {
  expect(mayBeOfGpu(device, signal)).toBe(suspected);
});
