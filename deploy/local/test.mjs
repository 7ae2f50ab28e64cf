// `npm test`: set-up, then Jest, which gets the arguments. Beside it, the site is built, and then every check runs. The
// last line shows the totals.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { watchSignals } from './cli/interruption.mjs';
import { checkNode } from './cli/node-version.mjs';
import { CHECKOUT_STATE, JEST, ROOT } from './cli/paths.mjs';
import { progress } from './cli/progress.mjs';
import { readSettings } from './cli/settings.mjs';
import { runMain, Stop } from './cli/stop.mjs';
import { addTotals, describeTotals, readTotals } from './cli/test-totals.mjs';
import { withFolder } from './harness/folders.mjs';
import { npm } from './setup/npm.mjs';
import { setup } from './setup/setup.mjs';
import { HELM, installTool, KUSTOMIZE, PROMTOOL } from './setup/tools.mjs';

const REPORTS = { most: join(CHECKOUT_STATE, 'jest.json'), live: join(CHECKOUT_STATE, 'jest-live.json') };
const JEST_CACHE = join(CHECKOUT_STATE, 'jest-cache');
const TOTALS = join(CHECKOUT_STATE, 'test-totals'); // read by .ci/run

/** Processes of tests. Each waits for other processes part of its time, so three keep two cores busy. */
const WORKERS = 3;

runMain(async () => {
  checkNode();
  const { abort } = watchSignals();
  mkdirSync(CHECKOUT_STATE, { recursive: true });
  for (const file of [...Object.values(REPORTS), TOTALS]) rmSync(file, { force: true });

  const settings = readSettings(process.env);
  // They compile for a few minutes, while npm waits for the network.
  const compiled = installOptional(KUSTOMIZE, abort).then(() => installOptional(HELM, abort));
  compiled.catch(() => {}); // awaited below
  await setup({ settings, abort, forTests: true, site: false });
  await compiled;
  await installOptional(PROMTOOL, abort);

  // Without the site, its tests would wait forever.
  const siteFailed = new AbortController();
  const site = setup({ settings, abort }).catch((error) => {
    siteFailed.abort();
    throw error;
  });
  const checks = site.then(() => check(abort));
  checks.catch(() => {}); // awaited below
  const ends = AbortSignal.any([abort, siteFailed.signal]);
  const jestCode = await withFolder((temporary) =>
    runAll(process.argv.slice(2), { abort: ends, site, checks, temporary }),
  );
  const checksPassed = await checks;
  abort.throwIfAborted();

  const totals = addTotals(Object.values(REPORTS).map(readTotals));
  if (!totals) return jestCode || Number(!checksPassed); // Jest ran no tests, as with --listTests
  if (!checksPassed) console.log('\nThe checks beside the tests failed; their output is above.');
  const line = describeTotals(totals);
  writeFileSync(TOTALS, `${line}\n`);
  console.log(`\n${line}`);
  return checksPassed && jestCode === 0 && totals.passed > 0 ? 0 : 1;
});

/**
 * Installs a tool that some tests need; without it, they are skipped by name.
 * @param {import('./setup/tools.mjs').Tool} tool
 * @param {AbortSignal} abort
 */
async function installOptional(tool, abort) {
  try {
    await installTool(tool, { step: progress('setup'), abort });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.log(`Tests that need ${tool.name} are skipped. ${error.message}`);
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
 * Runs the tests that the caller selects; otherwise all tests. Those that need the whole machine run last, after the
 * checks.
 * @param {string[]} args
 * @param {object} running
 * @param {AbortSignal} running.abort
 * @param {Promise<void>} running.site
 * @param {Promise<boolean>} running.checks
 * @param {string} running.temporary
 */
async function runAll(args, { abort, site, checks, temporary }) {
  const pending = join(temporary, 'site-pending');
  const most = { abort, temporary, pending, report: REPORTS.most };
  if (args.length > 0) {
    await site; // slow suites outside the project `web` need it, too
    return jest(args, most);
  }
  writeFileSync(pending, '');
  site.then(
    () => rmSync(pending),
    () => {}, // part of the checks
  );
  const code = await jest(['--ignoreProjects', 'live'], most);
  await checks;
  abort.throwIfAborted();
  return (await jest(['--selectProjects', 'live', '--runInBand'], { ...most, report: REPORTS.live })) || code;
}

/**
 * @param {string[]} args
 * @param {object} options
 * @param {AbortSignal} options.abort
 * @param {string} options.temporary folder of all temporary files: Jest ends its processes before they could clean up
 * @param {string} options.pending file that exists until the site is built
 * @param {string} options.report file for the results
 * @returns {Promise<number>} its exit code
 */
async function jest(args, { abort, temporary, pending, report }) {
  const setsWorkers = args.some((arg) => /^(--maxWorkers|-w|--runInBand|-i)\b/.test(arg));
  const workers = setsWorkers ? [] : [`--maxWorkers=${WORKERS}`];
  const cached = ['--cacheDirectory', JEST_CACHE];
  const child = spawn(
    process.execPath,
    [JEST, ...cached, '--json', `--outputFile=${report}`, ...workers, ...args],
    {
      cwd: ROOT,
      // Overrides the variable of the caller's shell: React and Express behave differently in production.
      env: { ...process.env, NODE_ENV: 'test', TMPDIR: temporary, SITE_PENDING: pending },
      stdio: 'inherit',
    },
  );
  abort.addEventListener('abort', () => child.kill('SIGTERM'));
  const [code, signal] = await once(child, 'exit');
  return code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)];
}
