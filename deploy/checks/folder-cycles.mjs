// Refuses circular imports between folders, over the whole repository. Biome refuses them between files.
//
// dependency-cruiser would do this, but it reads TypeScript 7 only through swc, and then no TSX.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const listed = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.js', '*.json'], { cwd: ROOT });
const files = new Set(
  listed
    .toString()
    .split('\n')
    .filter((file) => file && existsSync(join(ROOT, file))),
);
/** @param {string} file */
const isSource = (file) =>
  /\.(tsx?|m?js)$/.test(file) && !/\.test\.|\.check\.|\.d\.ts$|(^|\/)test\//.test(file);

/** Folders that each folder imports, with one import for the report. @type {Map<string, Map<string, string>>} */
const imports = new Map();
for (const file of [...files].filter(isSource)) {
  const folder = posix.dirname(file);
  for (const specifier of relativeImportsOf(file)) {
    const target = resolve(folder, specifier);
    if (target === undefined || posix.dirname(target) === folder) continue;
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

/** @param {string} file @returns {string[]} */
function relativeImportsOf(file) {
  const typescript = /\.tsx?$/.test(file);
  /** @type {import('@swc/core').ParseOptions} */
  const syntax = typescript
    ? { syntax: 'typescript', tsx: file.endsWith('.tsx') }
    : { syntax: 'ecmascript', jsx: true };
  /** @type {(string | undefined)[]} */
  const found = [];
  JSON.stringify(parseSync(readFileSync(join(ROOT, file), 'utf8'), syntax), (_, node) => {
    if (/^(Import|Export(Named|All))Declaration$/.test(node?.type ?? '')) found.push(node.source?.value);
    if (node?.type === 'CallExpression' && node.callee.type === 'Import')
      found.push(node.arguments[0].expression.value);
    return node;
  });
  return found.flatMap((specifier) => (specifier?.startsWith('.') ? [specifier] : []));
}

/** @param {string} folder @param {string} specifier */
function resolve(folder, specifier) {
  const path = posix.join(folder, specifier);
  const candidates = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`, path.replace(/\.js$/, '.ts')];
  return candidates.find((candidate) => files.has(candidate));
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
