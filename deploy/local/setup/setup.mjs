// Prepares a clone: installs packages and programs, and builds. It skips each part that is up to date, so it can run
// before every start and every test.

import { join } from 'node:path';
import { lock, tryLock } from '../cli/lock.mjs';
import { CHECKOUT_STATE } from '../cli/paths.mjs';
import { progress } from '../cli/progress.mjs';
import { buildSteps, codeStep, runBuildStep } from './build-steps.mjs';
import { installPackages } from './npm.mjs';
import { CHROMIUM, REDIS, requireProgram } from './system-packages.mjs';

/**
 * @param {object} options
 * @param {Readonly<import('../cli/settings.mjs').Settings>} options.settings
 * @param {AbortSignal} options.abort
 * @param {import('../cli/terminal.mjs').Terminal} [options.terminal]
 * @param {boolean} [options.forTests] also installs programs that only tests need
 * @param {boolean} [options.site] false skips the site, whose build takes minutes
 * @throws {import('../cli/stop.mjs').Stop} naming the missing part and the remedy
 */
export async function setup({ settings, abort, terminal, forTests = false, site = true }) {
  await alone({ terminal, abort }, async (step) => {
    if (forTests || !settings.redisUrl) await requireProgram(REDIS, { step, abort });
    if (forTests) await requireProgram(CHROMIUM, { step, abort });
    await installPackages({ step, abort, cuda: settings.cuda });
    for (const build of buildSteps(settings)) {
      if (site || !build.ofSite) await runBuildStep(build, { step, abort });
    }
  });
}

/**
 * Installs packages and compiles TypeScript, for commands that need neither Redis nor compiled models.
 * @param {object} options
 * @param {Readonly<import('../cli/settings.mjs').Settings>} options.settings
 * @param {AbortSignal} options.abort
 * @param {import('../cli/terminal.mjs').Terminal} options.terminal
 * @throws {import('../cli/stop.mjs').Stop} naming the missing part and the remedy
 */
export async function setupCode({ settings, abort, terminal }) {
  await alone({ terminal, abort }, async (step) => {
    await installPackages({ step, abort, cuda: settings.cuda });
    await runBuildStep(codeStep, { step, abort });
  });
}

/**
 * @param {{ terminal: import('../cli/terminal.mjs').Terminal | undefined, abort: AbortSignal }} options
 * @param {(step: import('../cli/progress.mjs').Step) => Promise<void>} work
 */
async function alone({ terminal, abort }, work) {
  const step = progress('setup', terminal);
  const release = await soleSetup(step, abort);
  try {
    await work(step);
  } finally {
    release();
  }
}

/**
 * Two set-ups at once would install into the same folder. The second one waits, and then has nothing to do.
 * @param {import('../cli/progress.mjs').Step} step
 * @param {AbortSignal} abort
 * @returns {Promise<() => void>}
 */
async function soleSetup(step, abort) {
  const file = join(CHECKOUT_STATE, 'setup.lock');
  const attempt = tryLock(file);
  if ('release' in attempt) return attempt.release;

  let release = () => {};
  await step(`waiting for the set-up of process ${attempt.holder.pid}`, async () => {
    release = await lock(file, abort);
  });
  return release;
}
