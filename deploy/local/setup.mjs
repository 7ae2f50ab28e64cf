// Everything between a bare clone and something that can start: packages, programs, build. Each part is skipped
// when it is up to date, so this runs before every start and every test.

import { join } from 'node:path';
import { buildSteps, runBuildStep } from './lib/build-steps.mjs';
import { lock, tryLock } from './lib/lock.mjs';
import { installPackages } from './lib/npm.mjs';
import { CHECKOUT_STATE } from './lib/paths.mjs';
import { progress } from './lib/progress.mjs';
import { CHROMIUM, REDIS, requireProgram } from './lib/system-packages.mjs';

/**
 * @param {object} options
 * @param {Readonly<import('./lib/settings.mjs').Settings>} options.settings
 * @param {AbortSignal} options.abort
 * @param {import('./lib/terminal.mjs').Terminal} [options.terminal]
 * @param {boolean} [options.forTests] also what only tests need
 * @param {boolean} [options.site] false leaves out the site, whose build takes minutes
 * @throws {import('./lib/stop.mjs').Stop} naming what cannot be had and the remedy
 */
export async function setup({ settings, abort, terminal, forTests = false, site = true }) {
  const step = progress('setup', terminal);
  const release = await soleSetup(step, abort);
  try {
    if (forTests || !settings.redisUrl) await requireProgram(REDIS, { step, abort });
    if (forTests) await requireProgram(CHROMIUM, { step, abort });
    await installPackages({ step, abort, cuda: settings.cuda });
    for (const build of buildSteps(settings)) {
      if (site || !build.ofSite) await runBuildStep(build, { step, abort });
    }
  } finally {
    release();
  }
}

/**
 * Two set-ups at once would install into one folder: the second one waits, and then finds everything done.
 * @param {import('./lib/progress.mjs').Step} step
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
