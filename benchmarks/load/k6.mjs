/** Runs the k6 script `scenarios/mix.ts` and reads every response that it recorded. */
import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { progress } from '../../gateway/harness/cli/progress.mjs';
import { Stop } from '../../gateway/harness/cli/stop.mjs';
import { runK6, temporaryFolder } from '../../gateway/harness/index.mjs';
import { installTool, K6 } from '../../gateway/harness/setup/tools.mjs';
import { BENCHMARKS } from '../lib/paths.mjs';
import { Skip } from '../lib/skip.mjs';

/**
 * @typedef {object} Response
 * @property {string} scenario
 * @property {string} operation
 * @property {'ok' | 'wrong' | 'refused' | 'failed'} outcome
 * @property {string} code of the error, empty without one
 * @property {number} beginMs since 1970
 * @property {number} endMs
 * @property {number} tookMs
 * @property {string} image
 *
 * @typedef {object} K6Run
 * @property {Response[]} responses by time of begin
 * @property {{ code: string, seconds: number }[]} retryAfter of the refusals that had it
 * @property {Record<string, number[]>} dropped by scenario: when each request was due that no virtual user was free for
 * @property {Record<string, number>} cutOff by scenario: requests that k6 cut off at its end
 * @property {Record<string, number>} falseChecks by name
 */

/**
 * @param {object} settings see scenarios/settings.ts
 * @param {(pid: number) => void} onStart called with k6's process
 * @returns {Promise<K6Run>}
 * @throws {Skip} without k6, which is taken from PATH or built once where Go is installed; {Error} when the script fails
 */
export async function runMix(settings, onStart) {
  const k6 = await installTool(K6, { step: progress('k6'), abort: new AbortController().signal }).catch(
    (error) => {
      throw error instanceof Stop ? new Skip(error.message) : error;
    },
  );
  const file = join(temporaryFolder(), 'settings.json');
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  const path = join(BENCHMARKS, 'load', 'scenarios', 'mix.ts');
  const { points } = await runK6(k6, path, { env: { SETTINGS_FILE: file }, onStart });
  return readPoints(createInterface({ input: createReadStream(points) }));
}

const METRICS = /"metric":"(response_ms|started|retry_after_seconds|dropped_iterations|checks)"/;

/** @param {AsyncIterable<string> | Iterable<string>} lines of k6's JSON output @returns {Promise<K6Run>} */
export async function readPoints(lines) {
  /** @type {K6Run} */
  const run = { responses: [], retryAfter: [], dropped: {}, cutOff: {}, falseChecks: {} };
  const add = (counts, name, value) => {
    counts[name] = (counts[name] ?? 0) + value;
  };
  for await (const line of lines) {
    // Most lines are of k6's own metrics, which need no parsing.
    const metric = line.match(METRICS)?.[1];
    if (!metric) continue;
    const { type, data } = JSON.parse(line);
    if (type !== 'Point') continue;
    const { value, tags, time } = data;
    const { scenario = '', code = '', operation = '', outcome, image = '' } = tags ?? {};
    if (metric === 'retry_after_seconds') run.retryAfter.push({ code, seconds: value });
    else if (metric === 'started') add(run.cutOff, scenario, value);
    else if (metric === 'dropped_iterations') {
      run.dropped[scenario] ??= [];
      run.dropped[scenario].push(...Array(value).fill(Date.parse(time)));
    } else if (metric === 'checks') {
      if (value === 0) add(run.falseChecks, tags.check, 1);
    } else {
      const endMs = Date.parse(time);
      add(run.cutOff, scenario, -1);
      const times = { beginMs: endMs - value, endMs, tookMs: value };
      run.responses.push({ scenario, operation, outcome, code, image, ...times });
    }
  }
  run.responses.sort((a, b) => a.beginMs - b.beginMs);
  return run;
}
