// What Presenza is made of, read from the lockfile and the manifests of its models: the ground of every report here.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../local/cli/paths.mjs';

/**
 * @typedef {object} LockedPackage
 * @property {string} name
 * @property {string} version
 * @property {string} path inside the repository, such as node_modules/express
 * @property {string | undefined} licence SPDX expression, where its package.json has one
 * @property {string | undefined} integrity Subresource Integrity of what the registry served
 * @property {boolean} hasInstallScript
 * @property {boolean} development whether nothing that is deployed or builds the site needs it
 */

/**
 * @typedef {object} Model manifest of inference/models
 * @property {string} id
 * @property {string} task
 * @property {string} description
 * @property {string} licence
 * @property {string} trainingData
 * @property {{ kind: string, package: string, files: { path: string, sha256: string }[] }} source
 */

/** @returns {LockedPackage[]} by path; workspaces are left out */
export function readPackages(file = join(ROOT, 'package-lock.json')) {
  const { packages } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(packages).flatMap(([path, entry]) => {
    if (!path.startsWith('node_modules/') || entry.link) return [];
    return {
      name: entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: entry.version,
      path,
      licence: typeof entry.license === 'string' ? entry.license : undefined,
      integrity: entry.integrity,
      hasInstallScript: entry.hasInstallScript === true,
      development: entry.dev === true,
    };
  });
}

/** @returns {Model[]} the built-in catalogue, by id */
export function readModels(folder = join(ROOT, 'inference/models')) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}
