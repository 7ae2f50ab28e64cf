// Programs for operators that npm cannot install: from the PATH, or installed once into `.data/bin` from Go modules or
// Debian packages. The service does not need them.

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT_STATE } from '../cli/paths.mjs';
import { Stop } from '../cli/stop.mjs';
import { run } from './run.mjs';
import { findProgram } from './system-packages.mjs';

/** Where programs are put that the PATH does not have. */
const BIN = join(CHECKOUT_STATE, 'bin');

/**
 * @typedef {object} Tool
 * @property {string} name of the program
 * @property {'go' | 'apt-get'} bringer program that can bring it
 * @property {(abort: AbortSignal) => Promise<void>} bring puts it into BIN
 */

export const KUSTOMIZE = fromGo('kustomize', 'sigs.k8s.io/kustomize/kustomize/v5@v5.8.1');
export const K6 = fromGo('k6', 'go.k6.io/k6@v1.8.1');
export const PROMTOOL = fromDebian('promtool', 'prometheus');

/**
 * @param {Tool} tool
 * @returns {string | undefined} its path, undefined where it is neither installed nor brought
 */
export function findTool({ name }) {
  const own = join(BIN, name);
  return findProgram(name) ?? (existsSync(own) ? own : undefined);
}

/**
 * @param {Tool} tool
 * @param {{ step: import('../cli/progress.mjs').Step, abort: AbortSignal }} options
 * @returns {Promise<string>} its path
 * @throws {Stop} with the remedy, where it is missing and cannot be brought
 */
export async function bringTool(tool, { step, abort }) {
  const found = findTool(tool);
  if (found) return found;
  const { name, bringer, bring } = tool;
  if (!findProgram(bringer)) {
    throw new Stop(
      `${name} is missing and cannot be brought without ${bringer}: install ${name} or ${bringer}.`,
    );
  }
  mkdirSync(BIN, { recursive: true });
  await step(`bringing ${name}`, () => bring(abort));
  return join(BIN, name);
}

/** @param {string} name @param {string} module with its version @returns {Tool} */
function fromGo(name, module) {
  return {
    name,
    bringer: 'go',
    bring: (abort) =>
      run('go', ['install', module], { abort, env: { GOBIN: BIN }, remedy: `Install ${name} yourself.` }),
  };
}

/**
 * One program of a Debian package, without what else the package would install, such as a service.
 * @param {string} name @param {string} debianPackage
 * @returns {Tool}
 */
function fromDebian(name, debianPackage) {
  return {
    name,
    bringer: 'apt-get',
    async bring(abort) {
      const folder = mkdtempSync(join(tmpdir(), 'presenza-tool-'));
      const options = { abort, cwd: folder, remedy: `Install ${name} yourself.` };
      try {
        // Without its lists, as on a machine that never asked, apt-get knows no package; it takes root to bring them.
        await run('apt-get', ['update'], options).catch(() => abort.throwIfAborted());
        await run('apt-get', ['download', debianPackage], options);
        const [archive = ''] = readdirSync(folder);
        await run('dpkg-deb', ['--extract', archive, 'unpacked'], options);
        copyFileSync(join(folder, 'unpacked/usr/bin', name), join(BIN, name));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
