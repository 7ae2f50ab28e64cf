// npm as a command, and the installation of the lockfile's packages.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../cli/paths.mjs';
import { Stop } from '../cli/stop.mjs';
import { run } from './run.mjs';
import { readStamp, writeStamp } from './stamps.mjs';

const NODE_MODULES = join(ROOT, 'node_modules');

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
 * Installs the lockfile's packages when it, Node's major version, the platform or the CUDA setting changed.
 * @param {{ step: import('../cli/progress.mjs').Step, abort: AbortSignal, cuda: boolean }} options
 */
export async function installPackages({ step, abort, cuda }) {
  const stamp = packagesStamp({ lockfile: readFileSync(join(ROOT, 'package-lock.json')), cuda });
  if (readStamp(NODE_MODULES) === stamp) return;

  await step('installing packages', () =>
    // NODE_ENV=production in the caller's shell would leave out the compilers that the build needs.
    npm(['ci', '--include=dev', '--no-audit', '--no-fund'], {
      abort,
      env: { ONNXRUNTIME_NODE_INSTALL: 'skip' },
    }),
  );
  if (cuda) {
    await step("downloading ONNX Runtime's CUDA provider (250 MB)", async () => {
      const { installCudaProvider } = await import('../../docker/cuda-provider.mjs');
      await installCudaProvider({ abort }).catch((/** @type {Error} */ { message }) => {
        abort.throwIfAborted();
        throw new Stop(`${message}\nUnset PRESENZA_CUDA to run without an NVIDIA GPU.`);
      });
    });
  }
  writeStamp(NODE_MODULES, stamp);
}

/**
 * @param {{ lockfile: Buffer, cuda: boolean, nodeVersion?: string, platform?: string, arch?: string }} of
 */
export function packagesStamp({
  lockfile,
  cuda,
  nodeVersion = process.versions.node,
  platform = process.platform,
  arch = process.arch,
}) {
  const hash = createHash('sha256').update(lockfile).digest('hex');
  return [hash, `node${nodeVersion.split('.')[0]}`, platform, arch, `cuda:${cuda}`].join(' ');
}
