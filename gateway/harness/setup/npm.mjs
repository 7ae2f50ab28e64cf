// npm as a command, and the installation of the lockfile's packages.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { writeText } from '../cli/files.mjs';
import { CHECKOUT_STATE, ROOT } from '../cli/paths.mjs';
import { explained, Stop } from '../cli/stop.mjs';
import { installCudaProvider } from './cuda-provider.mjs';
import { run } from './run.mjs';
import { damagedFile, readStamp, recordedFiles, removeStamp, writeStamp } from './stamps.mjs';

/**
 * The packages that the API needs to be compiled and to run, or all packages. All are eight times as many, so a first
 * start installs the others when the API already responds.
 * @typedef {'api' | 'all'} Extent
 */

const API_WORKSPACES = ['gateway', 'inference', 'gateway/contract'];

/**
 * Exists while npm installs, outside of node_modules, which `npm ci` deletes. It outlives an installation that is killed. It
 * contains OF_SITE if only the packages of the site may be incomplete.
 */
const UNFINISHED = join(CHECKOUT_STATE, 'unfinished-installation');

const OF_SITE = 'site';

/** npm prefers this file to package-lock.json. Only a killed installation leaves it behind, and Git ignores it. */
const ADDRESSED_LOCKFILE = 'npm-shrinkwrap.json';

/**
 * NODE_ENV=production in the caller's shell would leave out the compilers that the build needs. The lockfile has a version
 * and a hash of each package, so what the cache has needs no question to the registry.
 */
const OPTIONS = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=warn', '--prefer-offline'];

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
  /** @param {Extent} extent */
  const stampOf = (extent) => packagesStamp({ lockfile, cuda, extent: extent });
  const isUnfinished = existsSync(unfinished);
  const addsSite = isUnfinished && readFileSync(unfinished, 'utf8') === OF_SITE;
  const missing = damagedFile(modules);
  const installed = missing !== undefined || (isUnfinished && !addsSite) ? undefined : readStamp(modules);
  if (installed === stampOf('all') || installed === stampOf(extent)) return;

  rmSync(join(root, ADDRESSED_LOCKFILE), { force: true });
  if (isUnfinished) say('an earlier installation did not finish, so packages are installed anew');
  else if (missing !== undefined) say(`${join(modules, missing)} is missing, so packages are installed anew`);
  const adds = installed === stampOf('api');
  mkdirSync(dirname(unfinished), { recursive: true });
  writeText(unfinished, adds ? OF_SITE : '');
  if (!adds) removeStamp(modules);
  const packages = packagesIn(lockfile);
  const options = { abort, cwd: root, env: { ONNXRUNTIME_NODE_INSTALL: 'skip' } };
  const install = (/** @type {string[]} */ ...command) =>
    installWithAddresses(command, { ...options, root, modules });
  // The CUDA provider is unpacked with a package that the API does not need.
  const part = cuda ? 'all' : extent;
  if (adds) {
    // npm takes a folder that it had only begun to unpack for a whole package.
    if (isUnfinished) await removeOthers(modules, packages);
    // Adds the missing packages. `npm ci` would first delete those that a running API uses.
    await step('installing the packages of the site', () => install('install', '--no-save'));
  } else if (part === 'api') {
    const workspaces = API_WORKSPACES.map((workspace) => `--workspace=${workspace}`);
    await step('installing the packages of the API', () => install('ci', ...workspaces));
  } else {
    await step('installing packages', () => install('ci'));
  }
  if (cuda) {
    await step("downloading ONNX Runtime's CUDA provider (250 MB)", async () => {
      await installCudaProvider({ abort }).catch((/** @type {Error} */ { message }) => {
        abort.throwIfAborted();
        throw new Stop(`${message}\nUnset PRESENZA_CUDA to run without an NVIDIA GPU.`);
      });
    });
  }
  writeStamp(modules, stampOf(part), manifestsIn(modules, packages));
  rmSync(unfinished);
}

/** @param {Buffer} lockfile @returns {string[]} folders of packages, relative to the root */
const packagesIn = (lockfile) =>
  Object.keys(/** @type {Lockfile} */ (JSON.parse(lockfile.toString())).packages).filter((path) =>
    path.includes('node_modules/'),
  );

/**
 * @param {string} modules
 * @param {string[]} packages
 * @returns {string[]} manifests of the installed packages, relative to `modules`
 */
const manifestsIn = (modules, packages) =>
  packages.map((path) => `../${path}/package.json`).filter((file) => existsSync(join(modules, file)));

/**
 * Removes the packages that the stamp does not record.
 * @param {string} modules
 * @param {string[]} packages
 */
async function removeOthers(modules, packages) {
  const recorded = new Set(recordedFiles(modules));
  const others = packages.filter((path) => !recorded.has(`../${path}/package.json`));
  await Promise.all(others.map((path) => rm(join(modules, '..', path), { recursive: true, force: true })));
}

/**
 * Installs with a lockfile that has the address of each archive. package-lock.json has none, so that it suits every
 * registry, and npm then reads the registry's metadata of each package, which takes half of its processor time.
 * @param {string[]} command of npm
 * @param {import('./run.mjs').RunOptions & { abort: AbortSignal, root: string, modules: string }} options
 */
async function installWithAddresses(command, { root, modules, ...options }) {
  const args = [...command, ...OPTIONS];
  const file = join(root, ADDRESSED_LOCKFILE);
  let registry = '';
  await npm(['config', 'get', 'registry'], { ...options, onLine: (line) => (registry = line.trim()) });
  const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  try {
    writeText(file, JSON.stringify(withAddresses(lockfile, registry)));
    await unpack(args, modules, options);
  } catch (error) {
    // Another registry, for all packages or for those of one scope, may have other paths.
    if (!(error instanceof Stop) || !/\bE404\b/.test(error.details)) throw error;
    rmSync(file);
    await unpack(args, modules, options);
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * Runs npm once. It warns of a file that it cannot unpack, goes on for minutes, and may report success. It also warns of
 * files in folders that it removes after another error (ENOENT), and reports that error at its end.
 * @param {string[]} args
 * @param {string} modules folder of the packages
 * @param {import('./run.mjs').RunOptions & { abort: AbortSignal }} options
 */
async function unpack(args, modules, { abort, ...options }) {
  const incomplete = new AbortController();
  /** @type {Stop | undefined} */
  let warned;
  await npm(args, {
    ...options,
    abort: AbortSignal.any([abort, incomplete.signal]),
    onLine(line) {
      const stop = unpackingFailure(line, modules);
      warned ??= stop;
      if (stop && !/ENOENT/.test(line)) incomplete.abort(stop);
    },
  }).catch((error) => {
    throw causeOf(error);
  });
  if (warned) throw warned;
}

/**
 * @typedef {{ version?: string, name?: string, link?: boolean, resolved?: string }} LockedPackage
 * @typedef {{ packages: Record<string, LockedPackage> }} Lockfile
 */

/**
 * @param {Lockfile} lockfile
 * @param {string} registry its URL
 * @returns {Lockfile} with the addresses that registries use by convention, for packages without one
 */
export function withAddresses(lockfile, registry) {
  const base = registry.replace(/\/*$/, '');
  const packages = Object.fromEntries(
    Object.entries(lockfile.packages).map(([path, entry]) => {
      const [, folder] = /(?:^|.*\/)node_modules\/(.+)$/.exec(path) ?? [];
      if (folder === undefined || entry.link || entry.resolved) return [path, entry];
      const name = entry.name ?? folder;
      const archive = `${name.split('/').at(-1)}-${entry.version}.tgz`;
      return [path, { ...entry, resolved: `${base}/${name}/-/${archive}` }];
    }),
  );
  return { ...lockfile, packages };
}

/**
 * @param {unknown} error of npm as a command
 * @returns {unknown} a Stop about the folder or file that npm could not use, if that is the cause, else the error
 */
function causeOf(error) {
  if (!(error instanceof Stop)) return error;
  const [code, path, syscall] = ['code', 'path', 'syscall'].map(
    (name) => new RegExp(`^npm (?:error|ERR!) ${name} (.*)$`, 'm').exec(error.details)?.[1],
  );
  const cause = explained({ code, path, syscall });
  return cause instanceof Stop ? cause : error;
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
