// Programs that npm cannot install. With root on Debian the set-up installs them; elsewhere it reports the remedy.

import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Stop } from '../cli/stop.mjs';
import { run } from './run.mjs';

/**
 * @typedef {object} SystemPackage
 * @property {string} name of the Debian package
 * @property {string} [program] the program that it installs, if it has another name
 * @property {string} otherwise the alternative to installing it, after "or"
 * @property {string} elsewhere how to get it on a system without apt-get
 * @property {string[]} excluded files of the package to leave out (dpkg's patterns)
 */

/** @type {SystemPackage} */
export const REDIS = {
  name: 'redis-server',
  otherwise: 'set REDIS_URL to a Redis 7 you have',
  elsewhere: 'install Redis 7 (on macOS `brew install redis`)',
  // Debian's package also starts a system service on port 6379, now and at every boot. Presenza needs only the program,
  // so the service files are never unpacked, and there is nothing to stop or undo under any init system.
  // `apt-get install --reinstall redis-server` installs the service, too.
  excluded: ['/etc/init.d/redis-server', '/lib/systemd/system/redis-*', '/usr/lib/systemd/system/redis-*'],
};

/** @type {SystemPackage} */
export const CHROMIUM = {
  name: 'chromium',
  otherwise: 'leave the tests out and use `npm start`',
  elsewhere: 'install Chromium and put it on the PATH as `chromium`',
  excluded: [],
};

/** The engines of `npm run test:browsers`, and the screen for the one that needs it. @type {readonly SystemPackage[]} */
export const BROWSERS = [
  { name: 'firefox-esr' },
  { name: 'webkit2gtk-driver', program: 'WebKitWebDriver' },
  { name: 'xvfb', program: 'Xvfb' },
].map(({ name, program }) => ({
  name,
  ...(program && { program }),
  otherwise: 'leave out `npm run test:browsers`',
  elsewhere: `this suite needs Debian's package ${name}`,
  excluded: [],
}));

/**
 * @param {string} program
 * @param {string} path
 * @returns {string | undefined} the program's full path, undefined when it is not installed
 */
export function findProgram(program, path = process.env.PATH ?? '') {
  return path
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, program))
    .find(isExecutableFile);
}

/** @param {string} file */
function isExecutableFile(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Checks at once, so that a start which needs a person installs nothing else first.
 * @param {SystemPackage} wanted
 * @returns {(options: { step: import('../cli/progress.mjs').Step, abort: AbortSignal }) => Promise<void>} installs it if
 * it is missing
 * @throws {Stop} when it is missing and cannot be installed
 */
export function installerOf(wanted) {
  if (findProgram(wanted.program ?? wanted.name)) return async () => {};
  const aptGet = permittedAptGet();
  if (!aptGet) throw new Stop(missing(wanted));

  return ({ step, abort }) =>
    step(`installing Debian's package ${wanted.name}`, async () => {
      // A stale list is worth a try; the installation decides.
      await aptGet(['update'], abort).catch(() => abort.throwIfAborted());
      await aptGet(
        [
          ...wanted.excluded.flatMap((pattern) => ['-o', `DPkg::Options::=--path-exclude=${pattern}`]),
          'install',
          '-y',
          '--no-install-recommends',
          wanted.name,
        ],
        abort,
        `Install ${wanted.name} yourself, or ${wanted.otherwise}.`,
      );
    });
}

/**
 * @param {SystemPackage} wanted
 * @param {boolean} hasAptGet
 */
export function missing(wanted, hasAptGet = findProgram('apt-get') !== undefined) {
  return hasAptGet
    ? `${wanted.name} is missing and cannot be installed without root: run \`sudo apt-get install ${wanted.name}\`, or ${wanted.otherwise}.`
    : `${wanted.name} is missing: ${wanted.elsewhere}, or ${wanted.otherwise}.`;
}

/**
 * @param {string} program
 * @throws {Stop} when the installed Redis is older than the gateway's scripts allow
 */
export function checkRedisVersion(program) {
  const version = execFileSync(program, ['--version'], { encoding: 'utf8' });
  const major = Number(/ v=(\d+)\./.exec(version)?.[1]);
  if (major < 7) {
    throw new Stop(
      `Presenza needs Redis 7 and ${program} is Redis ${major}: install a newer one, or set REDIS_URL to a Redis 7 you have.`,
    );
  }
}

/** @returns {undefined | ((args: string[], abort: AbortSignal, remedy?: string) => Promise<void>)} */
function permittedAptGet() {
  if (process.platform !== 'linux' || !findProgram('apt-get')) return undefined;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status !== 0) return undefined;
  // Through `env`, since sudo does not pass the caller's environment on.
  const command = [
    ...(isRoot ? [] : ['sudo', '-n']),
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    '-o',
    'DPkg::Lock::Timeout=120',
  ];
  const [program = '', ...fixed] = command;
  // A package manager that is killed leaves packages half-configured. The next start waits for its lock.
  return (args, abort, remedy) =>
    run(program, [...fixed, ...args], { abort, outlives: true, ...(remedy ? { remedy } : {}) });
}
