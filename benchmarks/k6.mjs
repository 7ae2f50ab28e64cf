/** Runs a k6 script against a running service: `npm run smoke -w benchmarks` after `npm start`. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findK6, LOCAL_DATA } from './lib/k6.mjs';
import { BENCHMARKS } from './lib/paths.mjs';
import { Skip } from './lib/skip.mjs';

/** @returns {string} key of the environment, else of the local development account */
function findApiKey() {
  const file = join(LOCAL_DATA, 'dev-api-key');
  if (process.env.API_KEY) return process.env.API_KEY;
  if (!existsSync(file)) throw new Skip('There is no API key: set API_KEY, or run `npm start` first.');
  return readFileSync(file, 'utf8').trim();
}

try {
  const env = { ...process.env, API_KEY: findApiKey(), K6_NO_USAGE_REPORT: 'true' };
  const args = ['run', ...process.argv.slice(2)];
  const { status } = spawnSync(await findK6(), args, { env, stdio: 'inherit', cwd: BENCHMARKS });
  process.exitCode = status ?? 1;
} catch (error) {
  if (!(error instanceof Skip)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
