/**
 * Runs the single Redis as its pod does, with the command and the probes of the manifest and its redis.conf, but on a
 * port and in a folder of this machine.
 *
 * Slow: it starts Redis with the manifests' configuration and fills its memory.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../gateway/harness/ports.mjs';
import { type RunningProcess, startProcess } from '../../../gateway/harness/process.mjs';
import { connectSessionKeys } from '../../../gateway/src/stores/liveness/session-key-server';
import { container, FOLDER, ofKind, parse, rewriteCommand } from './manifests';
import type { Container, Manifest } from './types';

const manifests = parse(readFileSync(join(FOLDER, 'base/redis/stateful-set.yaml'), 'utf8'));
const { command, livenessProbe, readinessProbe } = container(manifests, 'StatefulSet', 'redis');

const folder = mkdtempSync(join(tmpdir(), 'presenza-redis-'));
const password = 'cd'.repeat(16);
let port = 0;
let redis: RunningProcess;

const env = () => ({
  PATH: process.env.PATH,
  REDISCLI_AUTH: password,
  REDIS_MAXMEMORY: '64mb',
});

/** Replaces port and folders of the pod by those of this machine. */
const local = (text: string) =>
  text
    .replace('/data/temp', `${folder}/temp`)
    .replace('/etc/redis', folder)
    .replace(/^port .*$/m, `port ${port}`)
    .replace(/^dir .*$/m, `dir ${folder}`)
    .replace(/^bind .*$/m, 'bind 127.0.0.1')
    .replace('redis-cli', `redis-cli -p ${port}`);

/** Exit code of a probe. */
function probe(given: Container['livenessProbe']): number | null {
  const [program = '', ...args] = (given?.exec?.command ?? []).flatMap((word) =>
    word === 'redis-cli' ? [word, '-p', String(port)] : [local(word)],
  );
  return spawnSync(program, args, { env: env() }).status;
}

const cli = (...args: string[]) =>
  execFileSync('redis-cli', ['-p', String(port), ...args], { env: env(), encoding: 'utf8' }).trim();

async function start(given = command): Promise<void> {
  writeFileSync(
    join(folder, 'redis.conf'),
    local(readFileSync(join(FOLDER, 'base/redis/redis.conf'), 'utf8')),
  );
  const [program = '', ...args] = given ?? [];
  redis = await startProcess(program, args.map(local), { env: env(), ready: 'Ready to accept connections' });
}

beforeAll(async () => {
  port = await freePort();
  await start();
});

afterAll(async () => {
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('keeps every write on disk, and evicts nothing when it is full', () => {
  const setting = (name: string) => cli('config', 'get', name).split('\n')[1] ?? '';
  expect(
    Object.fromEntries(
      ['appendonly', 'appendfsync', 'save', 'maxmemory-policy', 'maxmemory'].map((name) => [
        name,
        setting(name),
      ]),
    ),
  ).toEqual({
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
    'maxmemory-policy': 'noeviction',
    maxmemory: String(64 * 1024 * 1024),
  });
});

test('requires the password, which no list of processes shows', () => {
  const stranger = spawnSync('redis-cli', ['-p', String(port), 'ping'], {
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
  });
  expect(stranger.stdout).toContain('NOAUTH');
  expect(cli('ping')).toBe('PONG');
  const processes = execFileSync('ps', ['-A', '-o', 'args'], { encoding: 'utf8' });
  expect(processes).toContain(`:${port}`);
  expect(processes).not.toContain(password);
});

test.each(['SIGTERM', 'SIGKILL'] as const)('every acknowledged write is there after %s', async (signal) => {
  cli('set', `kept:${signal}`, 'yes');
  await redis.stop({ signal });
  await start();
  expect(cli('get', `kept:${signal}`)).toBe('yes');
});

/** Content of all parts of the append-only file. */
const onDisk = () =>
  readdirSync(join(folder, 'appendonlydir'))
    .map((part) => readFileSync(join(folder, 'appendonlydir', part), 'latin1'))
    .join();

function rewrite() {
  const [program = '', ...args] = rewriteCommand();
  return spawnSync(program, args, { env: { ...env(), NODES: `127.0.0.1:${port}` }, encoding: 'utf8' });
}

test('erased data is in no file once the CronJob has run', () => {
  cli('set', 'erased', 'a-secret-of-somebody');
  cli('set', 'left', 'yes');
  cli('del', 'erased');
  expect(onDisk()).toContain('a-secret-of-somebody');
  expect(rewrite()).toMatchObject({ status: 0, stderr: '' });
  expect(onDisk()).not.toContain('a-secret-of-somebody');
  expect(cli('get', 'left')).toBe('yes');
});

test('the CronJob fails when the file was not rewritten', () => {
  // Makes a command fail, as all commands do while Redis loads its file.
  cli('acl', 'setuser', 'default', '-bgrewriteaof');
  expect(rewrite().status).not.toBe(0);
  cli('acl', 'setuser', 'default', '+bgrewriteaof');
});

test('a Redis that responds but cannot serve is alive and not ready', async () => {
  expect([probe(livenessProbe), probe(readinessProbe)]).toEqual([0, 0]);
  // Makes a command fail, as all commands do while Redis loads its file.
  cli('acl', 'setuser', 'default', '-ping');
  expect([probe(livenessProbe), probe(readinessProbe)]).toEqual([0, 1]);
  cli('acl', 'setuser', 'default', '+ping');
});

test('a Redis that ended is neither alive nor ready', async () => {
  await redis.stop();
  expect(probe(livenessProbe)).not.toBe(0);
  expect(probe(readinessProbe)).not.toBe(0);
  await start();
});

test('the Redis of the keys has the settings that gateways require, and removes what a killed rewrite left', async () => {
  const set = parse(readFileSync(join(FOLDER, 'base/redis-keys/stateful-set.yaml'), 'utf8'));
  const [{ spec }] = ofKind(set, 'StatefulSet') as [Manifest];
  const [keys] = spec.template.spec.containers as Container[];
  await redis.stop();
  writeFileSync(join(folder, 'temp-17.aof'), 'an erased key');
  await start(keys?.command);
  const server = await connectSessionKeys(`redis://:${password}@127.0.0.1:${port}`, () => {});
  server.redis.disconnect();
  expect(cli('config', 'get', 'hz')).toBe('hz\n100');
  expect(readdirSync(folder).sort()).toEqual(['appendonlydir', 'redis.conf']);
});
