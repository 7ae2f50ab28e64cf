/** Runs the operators' command line without a Redis: it rejects invalid commands before it connects. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const cli = join(__dirname, '..', 'dist', 'admin', 'cli.js');
const KEY_SECRET = 'ab'.repeat(32);
const run = (args: string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [cli, ...args], { env: { KEY_SECRET, ...env }, encoding: 'utf8' });

test.each(['constructor', '__proto__', 'account', ''])('"%s" is no command', (name) => {
  const { status, stdout, stderr } = run([name]);
  expect(status).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain(`There is no command "${name}"`);
  expect(stderr).not.toContain(KEY_SECRET);
});

test('a value that does not fit is a mistake of usage', () => {
  const { status, stdout, stderr } = run(['accounts', 'create', '--name', 'A', '--plan', 'gold']);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain('plan must be one of free');
});

test('the configuration is checked as the gateway checks it', () => {
  const { status, stderr } = run(['keys', 'create', '--account', 'acc_1', '--mode', 'live'], {
    KEY_SECRET: 'zz',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('The environment variable KEY_SECRET must match');
});

test('an unreachable Redis is reported with the connection error and without its password', () => {
  const { status, stderr } = run(['accounts', 'list'], { REDIS_URL: 'redis://:hush@127.0.0.1:1' });
  expect(status).toBe(1);
  expect(stderr).toContain('Redis does not respond at REDIS_URL (connect ECONNREFUSED 127.0.0.1:1)');
  expect(stderr).not.toContain('hush');
});
