// Refuses circular imports between folders, over the whole repository. Biome refuses them between files.
//
// dependency-cruiser would do this, but it reads TypeScript 7 only through swc, and then no TSX.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { ROOT } from '../local/cli/paths.mjs';
import { importsOf, isSource, resolveImport } from './imports.mjs';

/** Tests may import anything. @param {string} file */
const isTest = (file) => /\.(?:test|check)\.|(?:^|\/)test\//.test(file);

const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => isSource(file) && !isTest(file) && existsSync(join(ROOT, file)));

/** Folders that each folder imports, with one import for the report. @type {Map<string, Map<string, string>>} */
const imports = new Map();
for (const file of files) {
  const folder = posix.dirname(file);
  for (const { specifier } of importsOf(join(ROOT, file))) {
    const path = resolveImport(join(ROOT, file), specifier);
    if (path === undefined) continue;
    const target = relative(ROOT, path);
    if (posix.dirname(target) === folder) continue;
    if (!imports.has(folder)) imports.set(folder, new Map());
    imports.get(folder)?.set(posix.dirname(target), `${file} -> ${target}`);
  }
}

for (const cycle of findCycles()) {
  console.error(`These folders import each other: ${cycle.join(', ')}`);
  for (const from of cycle)
    for (const [to, example] of imports.get(from) ?? [])
      if (cycle.includes(to)) console.error(`  ${example}`);
  process.exitCode = 1;
}

/** Strongly connected components of more than one folder (Tarjan). */
function findCycles() {
  /** @type {Map<string, number>} */
  const order = new Map();
  /** @type {Map<string, number>} */
  const low = new Map();
  /** @type {string[]} */
  const stack = [];
  /** @type {string[][]} */
  const found = [];
  /** @param {string} folder */
  const lowest = (folder) => low.get(folder) ?? Number.POSITIVE_INFINITY;
  /** @param {string} folder */
  const visit = (folder) => {
    order.set(folder, order.size);
    low.set(folder, order.size - 1);
    stack.push(folder);
    for (const next of imports.get(folder)?.keys() ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(folder, Math.min(lowest(folder), lowest(next)));
    }
    if (lowest(folder) !== order.get(folder)) return;
    const cycle = stack.splice(stack.indexOf(folder));
    if (cycle.length > 1) found.push(cycle.sort());
  };
  for (const folder of imports.keys()) if (!order.has(folder)) visit(folder);
  return found;
}
