// Checks the imports of the whole repository: modules import only the modules that `modules.mjs` lists for them, and neither
// modules nor folders import each other in a circle. Biome refuses circles of files.
//
// dependency-cruiser would do this, but it reads TypeScript 7 only through swc, and then no TSX.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { ROOT } from '../../gateway/harness/cli/paths.mjs';
import { importsOf, isSource, resolveImport } from '../../gateway/harness/imports.mjs';
import { findImportFaults } from './import-faults.mjs';

/** Folders of the packages in this repository, by name. @type {Map<string, string>} */
const workspaces = new Map(
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).workspaces.map(
    (/** @type {string} */ folder) => [
      JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')).name,
      folder,
    ],
  ),
);

/** @param {string} file @param {string} specifier @returns {string} path of the file or workspace, or name of the package */
function targetOf(file, specifier) {
  const path = resolveImport(join(ROOT, file), specifier);
  if (path !== undefined) return relative(ROOT, path);
  // A file that a build writes may not exist yet.
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier);
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
  const workspace = workspaces.get(name);
  return workspace === undefined ? name : `${workspace}/${specifier.slice(name.length + 1)}`;
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => isSource(file) && existsSync(join(ROOT, file)));

const imports = files.flatMap((from) =>
  importsOf(join(ROOT, from)).map(({ specifier }) => ({ from, to: targetOf(from, specifier) })),
);

for (const fault of findImportFaults(imports)) {
  console.error(fault);
  process.exitCode = 1;
}
