// `npm test`, `npm run test:slow` and `npm run test:all`: set-up, then the suites of jest.config.js. `npm test` also builds
// the site and runs every check beside its tests. Further arguments select tests of any suite, without the checks. The last
// line shows the totals.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { join } from 'node:path';
import { watchSignals } from '../gateway/harness/cli/interruption.mjs';
import { checkNode } from '../gateway/harness/cli/node-version.mjs';
import { CHECKOUT_STATE, JEST, ROOT } from '../gateway/harness/cli/paths.mjs';
import { progress } from '../gateway/harness/cli/progress.mjs';
import { readSettings } from '../gateway/harness/cli/settings.mjs';
import { runMain, Stop } from '../gateway/harness/cli/stop.mjs';
import { withFolder } from '../gateway/harness/folders.mjs';
import { npm } from '../gateway/harness/setup/npm.mjs';
import { setup } from '../gateway/harness/setup/setup.mjs';
import { BROWSERS } from '../gateway/harness/setup/system-packages.mjs';
import { HELM, installTool, KUSTOMIZE, PROMTOOL } from '../gateway/harness/setup/tools.mjs';
import { addTotals, describeTotals, readTotals } from './test-totals.mjs';

const JEST_CACHE = join(CHECKOUT_STATE, 'jest-cache');
const TOTALS = join(CHECKOUT_STATE, 'test-totals'); // read by .ci/run

/** Processes of tests. Each waits for other processes half of its time, so four keep two cores busy. */
const WORKERS = `--maxWorkers=${2 * availableParallelism()}`;

/** @typedef {'quick' | 'slow' | 'alone' | 'all' | 'web' | 'liveness' | 'browsers' | 'gpu'} Suite of jest.config.js */

/** Suites of each command, in their order. @type {Record<string, Suite[]>} */
const COMMANDS = {
  '--quick': ['quick'],
  '--slow': ['slow', 'alone'],
  '--all': ['quick', 'slow', 'alone'],
  '--web': ['web'],
  '--liveness': ['liveness'],
  '--browsers': ['browsers'],
  '--gpu': ['gpu'],
};

/** Their tests measure time or use a whole device. @type {ReadonlySet<Suite>} */
const ONE_BY_ONE = new Set(/** @type {Suite[]} */ (['alone', 'liveness', 'browsers', 'gpu']));

runMain(async () => {
  checkNode();
  const { abort } = watchSignals();
  mkdirSync(CHECKOUT_STATE, { recursive: true });
  rmSync(TOTALS, { force: true });

  const [command = '', ...selection] = process.argv.slice(2);
  const isSelection = selection.length > 0;
  const commandSuites = COMMANDS[command] ?? [];
  const suites =
    isSelection && commandSuites[0] === 'quick' ? /** @type {Suite[]} */ (['all']) : commandSuites;

  const settings = readSettings(process.env);
  const programs = suites.includes('browsers') ? BROWSERS : [];
  await setup({ settings, abort, forTests: true, programs, site: false });
  if (suites.includes('slow')) await installTools(abort);

  // Without the site, its tests would wait forever.
  const siteFailed = new AbortController();
  const site = setup({ settings, abort }).catch((error) => {
    siteFailed.abort();
    throw error;
  });
  const checks = suites.includes('quick') ? site.then(() => check(abort)) : site.then(() => true);
  checks.catch(() => {}); // awaited below

  const results = await withFolder((temporary) =>
    runSuites(suites, selection, {
      abort: AbortSignal.any([abort, siteFailed.signal]),
      site,
      temporary,
    }),
  ).catch(async (error) => {
    if (siteFailed.signal.aborted) await site; // fails with the reason
    throw error;
  });
  const checksPassed = await checks;
  abort.throwIfAborted();

  const totals = addTotals(results.map(({ report }) => readTotals(report)));
  const code = results.find((result) => result.code !== 0)?.code ?? 0;
  if (!totals) return code || Number(!checksPassed); // Jest ran no tests, as with --listTests
  if (!checksPassed) console.log('\nThe checks beside the tests failed; their output is above.');
  const line = describeTotals(totals);
  writeFileSync(TOTALS, `${line}\n`);
  console.log(`\n${line}`);
  return checksPassed && code === 0 && totals.passed > 0 ? 0 : 1;
});

/** Installs tools that some slow tests need; without one, its tests are skipped by name. @param {AbortSignal} abort */
async function installTools(abort) {
  for (const tool of [PROMTOOL, KUSTOMIZE, HELM]) {
    try {
      await installTool(tool, { step: progress('setup'), abort });
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      console.log(`Tests that need ${tool.name} are skipped. ${error.message}`);
    }
  }
}

/** Format, lint, imports, types and language: `npm run check`. @param {AbortSignal} abort */
async function check(abort) {
  try {
    await progress('check')('format, lint, imports, types and language', () =>
      npm(['run', '--silent', 'check'], { abort }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.log(`\n${error.details}\n`);
    return false;
  }
}

/**
 * Runs the suites one after the other. The tests of the first one start while the site is built.
 * @param {Suite[]} suites
 * @param {string[]} selection arguments of Jest
 * @param {{ abort: AbortSignal, site: Promise<void>, temporary: string }} options
 */
async function runSuites(suites, selection, { abort, site, temporary }) {
  const pending = join(temporary, 'site-pending');
  writeFileSync(pending, '');
  site.then(
    () => rmSync(pending),
    () => {}, // reported with the checks
  );
  const results = [];
  for (const [index, suite] of suites.entries()) {
    if (index > 0) await site;
    const report = join(CHECKOUT_STATE, `jest-${suite}.json`);
    rmSync(report, { force: true });
    results.push({ report, code: await jest(suite, selection, { abort, temporary, pending, report }) });
    abort.throwIfAborted();
  }
  return results;
}

/**
 * @param {Suite} suite
 * @param {string[]} selection
 * @param {object} options
 * @param {AbortSignal} options.abort
 * @param {string} options.temporary folder of all temporary files: Jest ends its processes before they could clean up
 * @param {string} options.pending file that exists until the site is built
 * @param {string} options.report file for the results
 * @returns {Promise<number>} its exit code
 */
async function jest(suite, selection, { abort, temporary, pending, report }) {
  const setsWorkers = selection.some((arg) => /^(--maxWorkers|-w|--runInBand|-i)\b/.test(arg));
  const workers = ONE_BY_ONE.has(suite) ? '--runInBand' : WORKERS;
  const options = ['--cacheDirectory', JEST_CACHE, '--json', `--outputFile=${report}`];
  const child = spawn(process.execPath, [JEST, ...options, ...(setsWorkers ? [] : [workers]), ...selection], {
    cwd: ROOT,
    env: {
      ...process.env,
      SUITE: suite,
      // Overrides the variable of the caller's shell: React and Express behave differently in production.
      NODE_ENV: 'test',
      TMPDIR: temporary,
      SITE_PENDING: pending,
    },
    stdio: 'inherit',
  });
  abort.addEventListener('abort', () => child.kill('SIGTERM'));
  const [code, signal] = await once(child, 'exit');
  return code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)];
}
