/** Runs one k6 script and reads what it saw: every answer with its time, and how each threshold did. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryFolder } from '../lib/gateway.mjs';
import { findK6 } from '../lib/k6.mjs';
import { BENCHMARKS } from '../lib/paths.mjs';
import { endWithThis } from '../lib/process.mjs';

/**
 * @typedef {object} Answer
 * @property {string} scenario k6's scenario: the step
 * @property {string} operation
 * @property {'ok' | 'wrong' | 'refused' | 'failed'} outcome
 * @property {string} code of the error, empty where there is none
 * @property {number} beginMs since 1970
 * @property {number} endMs
 * @property {number} tookMs
 * @property {string} plan
 * @property {string} picture
 */

/**
 * @typedef {object} K6Run
 * @property {Answer[]} answers
 * @property {{ code: string, seconds: number }[]} retryAfter of the refusals that said so
 * @property {Record<string, number[]>} dropped requests that no virtual user was free for, by scenario, and so never
 *   sent: when each was due, since 1970 in ms
 * @property {Record<string, number>} unanswered requests that were begun and cut off by k6 at its end, by scenario
 * @property {Record<string, number>} falseChecks checks that failed, by name
 * @property {{ name: string, ok: boolean }[]} thresholds
 * @property {number} pid of k6
 */

/**
 * Hundreds of users are hundreds of megabytes to look through whenever k6 collects garbage, on the machine that is
 * measured: tens of requests then seemed to take 100 ms and more. So it collects seldom, within bounds.
 */
const SELDOM = { GOGC: '1000', GOMEMLIMIT: '4GiB' };

/** k6's exit status when thresholds were missed: a result. */
const THRESHOLDS_MISSED = 99;

/**
 * @param {string} script in benchmarks/scenarios
 * @param {object} settings as scenarios/lib/settings.ts has them
 * @param {(pid: number) => void} [onStart] is told k6's process
 * @returns {Promise<K6Run>}
 * @throws {Skip} where there is no k6; {Error} when the script itself fails
 */
export async function runScript(script, settings, onStart = () => {}) {
  const k6 = await findK6();
  const folder = temporaryFolder();
  const file = (/** @type {string} */ name) => join(folder, name);
  writeFileSync(file('settings.json'), JSON.stringify(settings), { mode: 0o600 });
  const args = ['run', '--quiet', '--no-color', '--out', `json=${file('points.json')}`];
  const child = endWithThis(
    spawn(k6, [...args, '--summary-export', file('summary.json'), join(BENCHMARKS, 'scenarios', script)], {
      env: { ...SELDOM, ...process.env, K6_NO_USAGE_REPORT: 'true', SETTINGS_FILE: file('settings.json') },
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    said = (said + text).slice(-4096);
  });
  onStart(/** @type {number} */ (child.pid));
  const [code] = await once(child, 'close');
  if (code !== 0 && code !== THRESHOLDS_MISSED) throw new Error(`k6 ended with ${code}:\n${said}`);
  const points = await readPoints(createInterface({ input: createReadStream(file('points.json')) }));
  const thresholds = readThresholds(JSON.parse(readFileSync(file('summary.json'), 'utf8')));
  return { ...points, thresholds, pid: /** @type {number} */ (child.pid) };
}

/**
 * @param {AsyncIterable<string> | Iterable<string>} lines of k6's JSON output: one metric or one of its samples each
 * @returns {Promise<Pick<K6Run, 'answers' | 'retryAfter' | 'dropped' | 'unanswered' | 'falseChecks'>>} answers in the
 *   order of begin
 */
export async function readPoints(lines) {
  /** @type {Answer[]} */
  const answers = [];
  /** @type {K6Run['retryAfter']} */
  const retryAfter = [];
  /** @type {K6Run['dropped']} */
  const dropped = {};
  /** @type {Record<string, number>} */
  const unanswered = {};
  /** @type {Record<string, number>} */
  const falseChecks = {};
  for await (const line of lines) {
    // Most lines are of metrics that k6 writes by itself: what they are is seen without parsing them.
    const metric = line.match(
      /"metric":"(answer_ms|questions|retry_after_seconds|dropped_iterations|checks)"/,
    )?.[1];
    if (!metric) continue;
    const { type, data } = JSON.parse(line);
    if (type !== 'Point') continue;
    const { value, tags, time } = data;
    const { scenario = '', code = '' } = tags ?? {};
    if (metric === 'retry_after_seconds') retryAfter.push({ code, seconds: value });
    else if (metric === 'dropped_iterations') {
      dropped[scenario] ??= [];
      dropped[scenario].push(...Array(value).fill(Date.parse(time)));
    } else if (metric === 'questions') unanswered[scenario] = (unanswered[scenario] ?? 0) + value;
    else if (metric === 'checks') {
      if (value === 0) falseChecks[tags.check] = (falseChecks[tags.check] ?? 0) + 1;
    } else {
      const endMs = Date.parse(time);
      const { operation, outcome, plan = '', picture = '' } = tags;
      const beginMs = endMs - value;
      unanswered[scenario] = (unanswered[scenario] ?? 0) - 1;
      answers.push({ scenario, operation, outcome, code, beginMs, endMs, tookMs: value, plan, picture });
    }
  }
  answers.sort((a, b) => a.beginMs - b.beginMs);
  return { answers, retryAfter, dropped, unanswered, falseChecks };
}

/**
 * @param {{ metrics: Record<string, { thresholds?: Record<string, boolean> }> }} summary of `--summary-export`, which
 *   says true where a threshold was crossed
 */
export function readThresholds({ metrics }) {
  return Object.entries(metrics).flatMap(([metric, { thresholds = {} }]) =>
    Object.entries(thresholds).map(([expression, crossed]) => ({
      name: `${metric}: ${expression}`,
      ok: !crossed,
    })),
  );
}
