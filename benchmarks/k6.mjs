/**
 * Runs a k6 script against a running service: `npm run smoke -w benchmarks` after `npm start`. k6 is a Go program:
 * it is taken from PATH, else built once into `.data/bin` where Go is at hand.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const k6Version = 'v1.8.1';
const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const data = process.env.PRESENZA_DATA ?? join(root, '.data');

/** @param {string} command */
const runs = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** @returns {string} path of a k6 that runs */
function findK6() {
  if (runs('k6', 'version')) return 'k6';
  const bin = join(data, 'bin');
  const own = join(bin, 'k6');
  if (existsSync(own)) return own;
  if (!runs('go', 'version'))
    fail('k6 is missing and cannot be built without Go: install k6, or Go 1.24 or later.');
  console.error(`Building k6 ${k6Version}, once; this takes some minutes ...`);
  mkdirSync(bin, { recursive: true });
  const env = { ...process.env, GOBIN: bin };
  const build = spawnSync('go', ['install', `go.k6.io/k6@${k6Version}`], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (build.status !== 0) fail('k6 could not be built; the lines above say why.');
  return own;
}

/** @returns {string} key of the environment, else of the local development account */
function findApiKey() {
  const file = join(data, 'dev-api-key');
  if (process.env.API_KEY) return process.env.API_KEY;
  if (!existsSync(file)) fail('There is no API key: set API_KEY, or run `npm start` first.');
  return readFileSync(file, 'utf8').trim();
}

/**
 * @param {string} sentence
 * @returns {never}
 */
function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

const env = { ...process.env, API_KEY: findApiKey(), K6_NO_USAGE_REPORT: 'true' };
const result = spawnSync(findK6(), ['run', ...process.argv.slice(2)], {
  env,
  stdio: 'inherit',
  cwd: join(root, 'benchmarks'),
});
process.exit(result.status ?? 1);
