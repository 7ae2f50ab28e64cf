// `npm test`: set-up, then every check beside Jest, which gets the arguments. The last line shows the totals.

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
import { installTool, KUSTOMIZE, PROMTOOL } from './setup/tools.mjs';

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

  await setup({ settings: readSettings(process.env), abort, forTests: true });
  await installTools(abort);
  const checks = check(abort);
  checks.catch(() => {}); // awaited below
  const jestCode = await withFolder((temporary) =>
    runAll(process.argv.slice(2), { abort, checks, temporary }),
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

/** Installs tools that some tests need; tests without their tool are skipped by name. @param {AbortSignal} abort */
async function installTools(abort) {
  for (const tool of [KUSTOMIZE, PROMTOOL]) {
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
 * Runs the tests that the caller selects; otherwise all tests. Those that need the whole machine run last, after the
 * checks.
 * @param {string[]} args
 * @param {{ abort: AbortSignal, checks: Promise<boolean>, temporary: string }} running
 */
async function runAll(args, { abort, checks, temporary }) {
  const most = { abort, temporary, report: REPORTS.most };
  if (args.length > 0) return jest(args, most);
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
 * @param {string} options.report file for the results
 * @returns {Promise<number>} its exit code
 */
async function jest(args, { abort, temporary, report }) {
  const setsWorkers = args.some((arg) => /^(--maxWorkers|-w|--runInBand|-i)\b/.test(arg));
  const workers = setsWorkers ? [] : [`--maxWorkers=${WORKERS}`];
  const cached = ['--cacheDirectory', JEST_CACHE];
  const child = spawn(
    process.execPath,
    [JEST, ...cached, '--json', `--outputFile=${report}`, ...workers, ...args],
    {
      cwd: ROOT,
      // Overrides the variable of the caller's shell: React and Express behave differently in production.
      env: { ...process.env, NODE_ENV: 'test', TMPDIR: temporary },
      stdio: 'inherit',
    },
  );
  abort.addEventListener('abort', () => child.kill('SIGTERM'));
  const [code, signal] = await once(child, 'exit');
  return code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)];
}
