// Programs that npm cannot install and the service does not need: found on the PATH, or installed once into `.data/bin`
// from Go modules or Debian packages.

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT_STATE } from '../cli/paths.mjs';
import { Stop } from '../cli/stop.mjs';
import { run } from './run.mjs';
import { findProgram } from './system-packages.mjs';

/** Folder of the programs that are not on the PATH. */
const BIN = join(CHECKOUT_STATE, 'bin');

/**
 * @typedef {object} Tool
 * @property {string} name of the program
 * @property {'go' | 'apt-get'} installer program that can install it
 * @property {(abort: AbortSignal) => Promise<void>} install puts it into BIN
 */

export const KUSTOMIZE = fromGo('kustomize', 'sigs.k8s.io/kustomize/kustomize/v5@v5.8.1');
export const HELM = fromGo('helm', 'helm.sh/helm/v3/cmd/helm@v3.19.5');
export const K6 = fromGo('k6', 'go.k6.io/k6@v1.8.1');
export const PROMTOOL = fromDebian('promtool', 'prometheus');

/**
 * @param {Tool} tool
 * @returns {string | undefined} its path, undefined if it is not installed
 */
export function findTool({ name }) {
  const path = join(BIN, name);
  return findProgram(name) ?? (existsSync(path) ? path : undefined);
}

/**
 * @param {Tool} tool
 * @param {{ step: import('../cli/progress.mjs').Step, abort: AbortSignal }} options
 * @returns {Promise<string>} its path
 * @throws {Stop} with the remedy if it is missing and cannot be installed
 */
export async function installTool(tool, { step, abort }) {
  const path = findTool(tool);
  if (path) return path;
  const { name, installer, install } = tool;
  if (!findProgram(installer)) {
    throw new Stop(
      `${name} is missing and cannot be installed without ${installer}: install ${name} or ${installer}.`,
    );
  }
  mkdirSync(BIN, { recursive: true });
  await step(`installing ${name}`, () => install(abort));
  return join(BIN, name);
}

/** @param {string} name @param {string} module with its version @returns {Tool} */
function fromGo(name, module) {
  return {
    name,
    installer: 'go',
    install: (abort) =>
      run('go', ['install', module], { abort, env: { GOBIN: BIN }, remedy: `Install ${name} yourself.` }),
  };
}

/**
 * One program of a Debian package, without the rest of the package, such as a service.
 * @param {string} name @param {string} debianPackage
 * @returns {Tool}
 */
function fromDebian(name, debianPackage) {
  return {
    name,
    installer: 'apt-get',
    async install(abort) {
      const folder = mkdtempSync(join(tmpdir(), 'presenza-tool-'));
      const options = { abort, cwd: folder, remedy: `Install ${name} yourself.` };
      try {
        // apt-get knows no package until it has its lists, and only root can update them.
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
