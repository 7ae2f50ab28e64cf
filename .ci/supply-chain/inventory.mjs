// The components of Presenza, read from the lockfile and the manifests of its models, for the reports in this folder.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../gateway/harness/cli/paths.mjs';

/**
 * A package of the lockfile. `path` is inside the repository, such as node_modules/express. `license` is the SPDX
 * expression of package.json, if there is one. `integrity` is the Subresource Integrity of the registry's archive.
 * `development` is true for a package that is not deployed and does not build the site.
 * @typedef {{ name: string, version: string, path: string, license: string | undefined }} NamedPackage
 * @typedef {NamedPackage & { integrity: string | undefined, hasInstallScript: boolean, development: boolean }}
 * LockedPackage
 */

/**
 * The manifest of a model in inference/models.
 * @typedef {{ path: string, sha256: string }} ModelFile
 * @typedef {{ id: string, task: string, description: string, license: string, trainingData: string }} ModelFacts
 * @typedef {{ name: string, files: ModelFile[] }} ModelOrigin a package, or the address of a published file
 * @typedef {ModelFacts & { origin: ModelOrigin }} Model
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
      license: typeof entry.license === 'string' ? entry.license : undefined,
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
    .map((name) => {
      const { id, task, description, license, trainingData, source } = JSON.parse(
        readFileSync(join(folder, name), 'utf8'),
      );
      return { id, task, description, license, trainingData, origin: originOf(source) };
    });
}

/** @param {any} source of a manifest @returns {ModelOrigin} */
function originOf({ kind, package: name, files, url, sha256 }) {
  if (kind !== 'published' && kind !== 'shipped') return { name, files };
  return {
    name: url.slice(0, url.lastIndexOf('/')),
    files: [{ path: url.slice(url.lastIndexOf('/') + 1), sha256 }],
  };
}
