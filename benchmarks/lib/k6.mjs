/** k6 is a Go program: it is taken from PATH, else built once into `.data/bin` where Go is at hand. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';
import { Skip } from './skip.mjs';

const K6_VERSION = 'v1.8.1';
/** What the local start keeps its state in. */
export const LOCAL_DATA = process.env.PRESENZA_DATA ?? join(ROOT, '.data');

/** @param {string} command @param {...string} args */
const runs = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/**
 * @returns {string} path of a k6 that runs
 * @throws Skip
 */
export function findK6() {
  if (runs('k6', 'version')) return 'k6';
  const bin = join(LOCAL_DATA, 'bin');
  const own = join(bin, 'k6');
  if (existsSync(own)) return own;
  if (!runs('go', 'version'))
    throw new Skip('k6 is missing and cannot be built without Go: install k6, or Go 1.24 or later.');
  console.error(`Building k6 ${K6_VERSION}, once; this takes some minutes ...`);
  mkdirSync(bin, { recursive: true });
  const build = spawnSync('go', ['install', `go.k6.io/k6@${K6_VERSION}`], {
    env: { ...process.env, GOBIN: bin },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (build.status !== 0) throw new Skip('k6 could not be built; the lines above say why.');
  return own;
}
