// npm as a command, and the installation of the lockfile's packages.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeText } from '../cli/files.mjs';
import { CHECKOUT_STATE, ROOT } from '../cli/paths.mjs';
import { Stop } from '../cli/stop.mjs';
import { run } from './run.mjs';
import { readStamp, removeStamp, writeStamp } from './stamps.mjs';

/**
 * The packages that the API needs to be compiled and to run, or all packages. All are eight times as many, so a first
 * start installs the others when the API already responds.
 * @typedef {'api' | 'all'} Extent
 */

const API_WORKSPACES = ['gateway', 'inference', 'gateway/contract'];

/** Exists while npm installs, outside of node_modules, which `npm ci` deletes. It outlives an installation that is killed. */
const UNFINISHED = join(CHECKOUT_STATE, 'unfinished-installation');

/** NODE_ENV=production in the caller's shell would leave out the compilers that the build needs. */
const OPTIONS = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=warn'];

/**
 * Runs the npm that runs this script, if there is one, else the npm on the PATH.
 * @param {string[]} args
 * @param {import('./run.mjs').RunOptions} options
 */
export function npm(args, options) {
  const cli = process.env.npm_execpath;
  return cli && basename(cli) === 'npm-cli.js'
    ? run(process.execPath, [cli, ...args], options)
    : run('npm', args, options);
}

/**
 * Installs the lockfile's packages when it, Node's major version, the platform or the CUDA setting changed, and completes
 * an installation of the API's packages when all are wanted.
 * @param {object} options
 * @param {import('../cli/progress.mjs').Step} options.step
 * @param {(line: string) => void} options.say
 * @param {AbortSignal} options.abort
 * @param {boolean} options.cuda
 * @param {Extent} options.extent
 * @param {string} [options.root] folder of the lockfile
 * @param {string} [options.unfinished] file that marks an installation that has not ended
 */
export async function installPackages({
  step,
  say,
  abort,
  cuda,
  extent,
  root = ROOT,
  unfinished = UNFINISHED,
}) {
  const modules = join(root, 'node_modules');
  const lockfile = readFileSync(join(root, 'package-lock.json'));
  /** @param {Extent} of */
  const stampOf = (of) => packagesStamp({ lockfile, cuda, extent: of });
  const isUnfinished = existsSync(unfinished);
  const installed = isUnfinished ? undefined : readStamp(modules);
  if (installed === stampOf('all') || installed === stampOf(extent)) return;

  if (isUnfinished) say('an earlier installation did not finish, so packages are installed anew');
  mkdirSync(dirname(unfinished), { recursive: true });
  writeText(unfinished, '');
  removeStamp(modules);
  // npm only warns of a file that it cannot unpack, goes on for minutes, and may report success.
  const incomplete = new AbortController();
  const options = {
    abort: AbortSignal.any([abort, incomplete.signal]),
    cwd: root,
    env: { ONNXRUNTIME_NODE_INSTALL: 'skip' },
    onLine: (/** @type {string} */ line) => {
      const stop = unpackingFailure(line, modules);
      if (stop) incomplete.abort(stop);
    },
  };
  // The CUDA provider is unpacked with a package that the API does not need.
  const part = cuda ? 'all' : extent;
  if (installed === stampOf('api')) {
    // Adds the missing packages. `npm ci` would first delete those that a running API uses.
    await step('installing the packages of the site', () =>
      npm(['install', '--no-save', ...OPTIONS], options),
    );
  } else if (part === 'api') {
    const workspaces = API_WORKSPACES.map((workspace) => `--workspace=${workspace}`);
    await step('installing the packages of the API', () => npm(['ci', ...workspaces, ...OPTIONS], options));
  } else {
    await step('installing packages', () => npm(['ci', ...OPTIONS], options));
  }
  if (cuda) {
    await step("downloading ONNX Runtime's CUDA provider (250 MB)", async () => {
      const { installCudaProvider } = await import('../../docker/cuda-provider.mjs');
      await installCudaProvider({ abort }).catch((/** @type {Error} */ { message }) => {
        abort.throwIfAborted();
        throw new Stop(`${message}\nUnset PRESENZA_CUDA to run without an NVIDIA GPU.`);
      });
    });
  }
  writeStamp(modules, stampOf(part));
  rmSync(unfinished);
}

/**
 * @param {string} line of npm's output
 * @param {string} folder of the packages
 * @returns {Stop | undefined} undefined unless the line reports a file that could not be unpacked
 */
export function unpackingFailure(line, folder) {
  const [, reason] = /TAR_ENTRY_ERROR (.*)/.exec(line) ?? [];
  if (reason === undefined) return undefined;
  return new Stop(
    reason.startsWith('ENOSPC')
      ? `The disk is full: npm cannot unpack packages into ${folder}. Free some space and repeat the command.`
      : `npm cannot unpack packages into ${folder}: ${reason}.`,
  );
}

/**
 * @param {{ lockfile: Buffer, cuda: boolean, extent: Extent, nodeVersion?: string, platform?: string, arch?: string }} of
 */
export function packagesStamp({
  lockfile,
  cuda,
  extent,
  nodeVersion = process.versions.node,
  platform = process.platform,
  arch = process.arch,
}) {
  const hash = createHash('sha256').update(lockfile).digest('hex');
  const parts = [hash, `node${nodeVersion.split('.')[0]}`, platform, arch, `cuda:${cuda}`];
  return (extent === 'all' ? parts : [...parts, extent]).join(' ');
}
