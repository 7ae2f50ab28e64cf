// Collects the root file system of the final images from the base of the build: Node, the system libraries that it needs,
// and a user. There is no shell, no package manager and no npm in it. Runs in a build stage, on Debian:
//
//   node deploy/docker/runtime.mjs --to FOLDER
//
// Every file gets the same time, so the images that share a base also share this layer.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** Shared libraries and the loader, but not the plugins of libc (`gconv`, `audit`), which have folders of their own. */
const LIBRARY = /^(?:\/usr)?\/lib(?:64)?(?:\/[^/]+-linux-gnu)?\/(?:lib|ld-linux)[^/]*\.so(?:\.\d+)*$/;
/** Without a release, scanners would not know whose packages these are. */
const RELEASE = '/etc/os-release';
const USER = 10_001;
const FILES = {
  'etc/passwd': `root:x:0:0:root:/nonexistent:/nonexistent\npresenza:x:${USER}:${USER}:presenza:/nonexistent:/nonexistent\n`,
  'etc/group': `root:x:0:\npresenza:x:${USER}:\n`,
  // /etc/hosts first: it has the names that an engine or Kubernetes adds.
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
};

/** @param {string} program @param {string[]} args */
const outputOf = (program, ...args) => execFileSync(program, args, { encoding: 'utf8' });

/**
 * @param {string} program an ELF file
 * @returns {string[]} names of the libraries that it loads
 */
export const librariesOf = (program) =>
  [...outputOf('ldd', program).matchAll(/^\s*(\S+) => \//gm)].map(([, name = '']) => name);

/**
 * Packages of Debian that contain these libraries.
 * @param {readonly string[]} names
 */
export function packagesWith(names) {
  const lines = outputOf('dpkg-query', '--search', ...names.map((name) => `*/${name}`)).split('\n');
  const owners = lines.filter((line) => LIBRARY.test(line.split(': ')[1] ?? ''));
  return [...new Set(owners.map((line) => line.split(':')[0] ?? ''))].sort();
}

/** Copies a file or link to the same place below `to`, where its folder really is: /lib is a link to /usr/lib. */
function copy(/** @type {string} */ path, /** @type {string} */ to) {
  const folder = realpathSync(dirname(path));
  const target = join(to, folder, path.slice(path.lastIndexOf('/') + 1));
  mkdirSync(dirname(target), { recursive: true });
  if (lstatSync(path).isSymbolicLink()) symlinkSync(readlinkSync(path), target);
  else copyFileSync(path, target);
}

/** A package's libraries, its license, and its record, which scanners compare with the known vulnerabilities. */
function copyPackage(/** @type {string} */ name, /** @type {string} */ to) {
  for (const path of outputOf('dpkg-query', '--listfiles', name).split('\n')) {
    if (LIBRARY.test(path)) copy(path, to);
  }
  const records = join(to, 'var/lib/dpkg/status.d');
  mkdirSync(records, { recursive: true });
  writeFileSync(join(records, name), outputOf('dpkg-query', '--status', name));
  const licenses = join(to, 'usr/share/doc', name);
  mkdirSync(licenses, { recursive: true });
  copyFileSync(`/usr/share/doc/${name}/copyright`, join(licenses, 'copyright'));
}

/** @param {string} folder */
function setTimes(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    lutimesSync(join(entry.parentPath, entry.name), 0, 0);
  }
}

/** @param {string} to @returns {string[]} the packages in it */
export function collectRuntime(to) {
  const node = process.execPath;
  const packages = packagesWith(librariesOf(node));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), text);
  }
  copyFileSync(realpathSync(RELEASE), join(to, RELEASE));
  // The loader is /lib64/ld-linux-x86-64.so.2 in every program, or /lib/ld-linux-aarch64.so.1.
  for (const link of ['lib', 'lib64']) {
    if (existsSync(`/${link}`)) symlinkSync(readlinkSync(`/${link}`), join(to, link));
  }
  for (const name of packages) copyPackage(name, to);
  cpSync('/usr/share/common-licenses', join(to, 'usr/share/common-licenses'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  copy(node, to);
  const license = join(dirname(node), '../LICENSE');
  if (existsSync(license)) copy(license, to);
  mkdirSync(join(to, 'tmp'));
  chmodSync(join(to, 'tmp'), 0o1777);
  setTimes(to);
  return packages;
}

function main() {
  const { to } = parseArgs({ options: { to: { type: 'string' } } }).values;
  if (!to) throw new Error('--to has to be given.');
  console.log(`Node ${process.version} with ${collectRuntime(to).join(', ')}`);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) main();
