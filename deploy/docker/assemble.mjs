// Copies what an image needs of the repository: the installed dependencies of its tier and the tier's own files, without
// files that a running process cannot use. Runs in a build stage, after the compilation:
//
//   node deploy/docker/assemble.mjs --from FOLDER --to FOLDER [--files PATH,...] [--only NAME,...] [--manifest-only NAME,...]
//
//   --from           workspace whose dependencies to copy
//   --to             destination, which gets the paths of the repository
//   --files          files and folders of the repository to copy too
//   --only           starts with these dependencies instead of all
//   --manifest-only  copies only package.json of these packages, and none of their dependencies
//
// npm would also install the packages of every workspace that a tier links to, including development packages: 790 MB
// for the gateway, 20 times as much.

import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * Source maps, types, texts, and libraries for the runtime Bare and for musl. License files stay, since they have to
 * travel with the code that they cover.
 */
const NO_USE_AT_RUN_TIME = /\.(?:map|[cm]?ts|tsbuildinfo|md|markdown|flow|bare|musl\.node)$/i;
/** Folders of a package, not of its code: some have a module named `test`. */
const TESTS =
  /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@]+\/(?:tests?|__tests__|bench|benchmarks?|examples?)(?:\/|$)/;
const LICENSE = /^(?:licen[cs]e|notice|copying|thirdpartynotices)/i;
/** Copies of the same code for bundlers; a server loads the CommonJS one. */
const BUNDLERS_COPY = /^node_modules\/@opentelemetry\/[^/]+\/build\/es(?:m|next)(?:\/|$)/;
/** ONNX Runtime contains libraries for five platforms, 45 MB each. */
const ONNX_PLATFORM = /^node_modules\/onnxruntime-node\/bin\/napi-v\d+\/([^/]+)(?:\/([^/]+))?/;

/**
 * @typedef {{ name: string, folder: string, manifestOnly: boolean }} Package folder: absolute
 * @typedef {{ dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string> }} Manifest
 */

/**
 * The direct and indirect dependencies of a workspace, each once. A workspace among them is a link: the Dockerfile
 * copies its sources, and this list contains its dependencies.
 * @param {{ root: string, from: string, only?: readonly string[], manifestOnly?: readonly string[] }} options
 * @returns {Package[]}
 * @throws {Error} naming a dependency that is not installed
 */
export function reachedPackages({ root, from, only, manifestOnly = [] }) {
  /** @type {Map<string, Package>} */
  const reached = new Map();
  /** @param {string} folder @param {readonly string[]} [names] */
  const follow = (folder, names) => {
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifestOf(folder);
    const wanted = names ?? Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    for (const name of wanted) {
      const location = findPackage(root, folder, name);
      if (!location) {
        if (name in dependencies && !(name in optionalDependencies))
          throw new Error(`${name}, which ${relative(root, folder)} depends on, is not installed.`);
        continue;
      }
      if (reached.has(location)) continue;
      const bare = manifestOnly.includes(name);
      reached.set(location, { name, folder: location, manifestOnly: bare });
      if (!bare) follow(realpathSync(location), undefined);
    }
  };
  follow(join(root, from), only);
  return [...reached.values()];
}

/** As Node looks for it: in each node_modules from the package that wants it up to the root. */
function findPackage(/** @type {string} */ root, /** @type {string} */ folder, /** @type {string} */ name) {
  for (let at = folder; ; at = dirname(at)) {
    const candidate = join(at, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (at === root || at === dirname(at)) return undefined;
  }
}

/** @param {string} folder @returns {Manifest} */
const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/**
 * Whether a running process can use a file or folder of a package.
 * @param {string} path beginning at the root, with slashes: `node_modules/express/lib`
 * @param {{ platform: string, arch: string }} target
 */
export function isNeeded(path, { platform, arch }) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [onnx, system, processor] = ONNX_PLATFORM.exec(path) ?? [];
  if (onnx && (system !== platform || (processor ?? arch) !== arch)) return false;
  if (BUNDLERS_COPY.test(path) || TESTS.test(path)) return false;
  return !NO_USE_AT_RUN_TIME.test(name) || LICENSE.test(name);
}

/**
 * @param {{ root: string, to: string, packages: readonly Package[] }} options
 * @param {{ platform: string, arch: string }} [target]
 */
export function copyPackages({ root, to, packages }, target = process) {
  for (const { folder, manifestOnly } of packages) {
    const place = join(to, relative(root, folder));
    mkdirSync(dirname(place), { recursive: true });
    if (lstatSync(folder).isSymbolicLink()) {
      symlinkSync(readlinkSync(folder), place);
      continue;
    }
    const nested = join(folder, 'node_modules');
    cpSync(folder, place, {
      recursive: true,
      verbatimSymlinks: true,
      filter(source) {
        if (manifestOnly) return source === folder || source === join(folder, 'package.json');
        // A nested package is in the list itself if the tier depends on it.
        if (source === nested) return false;
        return isNeeded(relative(root, source).split(sep).join('/'), target);
      },
    });
  }
}

/**
 * @param {{ root: string, to: string, paths: readonly string[] }} options
 * @param {{ platform: string, arch: string }} [target]
 */
export function copyFiles({ root, to, paths }, target = process) {
  for (const path of paths) {
    cpSync(join(root, path), join(to, path), {
      recursive: true,
      filter: (source) => isNeeded(relative(root, source).split(sep).join('/'), target),
    });
  }
}

function main() {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      files: { type: 'string' },
      only: { type: 'string' },
      'manifest-only': { type: 'string' },
    },
  });
  const { from, to, files, only, 'manifest-only': manifestOnly } = values;
  if (!from || !to) throw new Error('Both --from and --to have to be given.');
  const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
  const packages = reachedPackages({
    root,
    from,
    ...(only ? { only: only.split(',') } : {}),
    ...(manifestOnly ? { manifestOnly: manifestOnly.split(',') } : {}),
  });
  copyPackages({ root, to: resolve(to), packages });
  if (files) copyFiles({ root, to: resolve(to), paths: files.split(',') });
  console.log(`${packages.length} packages for ${from}`);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) main();
