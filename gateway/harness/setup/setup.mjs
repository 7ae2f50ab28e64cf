// Prepares a clone: installs packages and programs, and builds. It skips each part that is up to date, so it can run
// before every start and every test.

import { join } from 'node:path';
import { lock, tryLock } from '../cli/lock.mjs';
import { CHECKOUT_STATE } from '../cli/paths.mjs';
import { progress } from '../cli/progress.mjs';
import { Interrupted } from '../cli/stop.mjs';
import { Terminal } from '../cli/terminal.mjs';
import { buildSteps, codeStep, runBuildStep } from './build-steps.mjs';
import { installPackages } from './npm.mjs';
import { CHROMIUM, installerOf, REDIS } from './system-packages.mjs';

/**
 * @param {object} options
 * @param {Readonly<import('../cli/settings.mjs').Settings>} options.settings
 * @param {AbortSignal} options.abort
 * @param {Terminal} [options.terminal]
 * @param {boolean} [options.forTests] also installs programs that only tests need
 * @param {readonly import('./system-packages.mjs').SystemPackage[]} [options.programs] further programs
 * @param {boolean} [options.site] false skips the site, whose build takes minutes
 * @param {import('./npm.mjs').Extent} [options.extent] `api` skips the packages that the API does not need
 * @throws {import('../cli/stop.mjs').Stop} naming the missing part and the remedy
 */
export async function setup({
  settings,
  abort,
  terminal,
  forTests = false,
  programs = [],
  site = true,
  extent = 'all',
}) {
  await alone({ terminal, abort }, async (means) => {
    const installers = [
      ...(forTests || !settings.redisUrl ? [REDIS] : []),
      ...(forTests ? [CHROMIUM] : []),
      ...programs,
    ].map(installerOf);
    await together(abort, [
      // One after the other, because apt-get runs only once at a time.
      async (signal) => {
        for (const install of installers) await install({ ...means, abort: signal });
      },
      async (signal) => {
        await installPackages({ ...means, abort: signal, cuda: settings.cuda, extent });
        for (const build of buildSteps(settings)) {
          if (site || !build.ofSite) await runBuildStep(build, { ...means, abort: signal });
        }
      },
    ]);
  });
}

/**
 * Installs the packages of the API and compiles TypeScript, for commands that need neither Redis nor compiled models.
 * @param {object} options
 * @param {Readonly<import('../cli/settings.mjs').Settings>} options.settings
 * @param {AbortSignal} options.abort
 * @param {Terminal} options.terminal
 * @throws {import('../cli/stop.mjs').Stop} naming the missing part and the remedy
 */
export async function setupCode({ settings, abort, terminal }) {
  await alone({ terminal, abort }, async (means) => {
    await installPackages({ ...means, abort, cuda: settings.cuda, extent: 'api' });
    await runBuildStep(codeStep, { ...means, abort });
  });
}

/**
 * Runs parts of the set-up side by side. When one fails, the others are stopped before the failure is reported.
 * @param {AbortSignal} abort
 * @param {((abort: AbortSignal) => Promise<void>)[]} parts
 */
export async function together(abort, parts) {
  const failed = new AbortController();
  const signal = AbortSignal.any([abort, failed.signal]);
  /** @type {unknown[]} */
  const failures = [];
  const running = parts.map((part) =>
    part(signal).catch((error) => {
      failures.push(error);
      failed.abort(new Interrupted('the failure of another part'));
    }),
  );
  await Promise.all(running);
  abort.throwIfAborted();
  if (failures.length > 0) throw failures[0];
}

/**
 * @param {{ terminal: Terminal | undefined, abort: AbortSignal }} options
 * @param {(means: { step: import('../cli/progress.mjs').Step, say: (line: string) => void }) => Promise<void>} work
 */
async function alone({ terminal = new Terminal(), abort }, work) {
  const step = progress('setup', terminal);
  const release = await soleSetup(step, abort);
  try {
    await work({ step, say: (line) => terminal.line(`setup  ${line}`) });
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
