// Reads the imports of source files, for the checks that follow them.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from '@swc/core';

/** @typedef {{ specifier: string, typeOnly: boolean }} Import typeOnly: it vanishes when the file is compiled */

const ENDINGS = ['', '.ts', '.tsx', '.mjs', '.js', '/index.ts', '/index.tsx'];

/** Files that `importsOf` can read. @param {string} file */
export const isSource = (file) => /\.(?:tsx?|[cm]?js)$/.test(file) && !file.endsWith('.d.ts');

/**
 * Static imports, re-exports, and calls of `import` and `require` with a constant name.
 * @param {string} file
 * @returns {Import[]}
 */
export function importsOf(file) {
  /** @type {import('@swc/core').ParseOptions} */
  const syntax = /\.tsx?$/.test(file)
    ? { syntax: 'typescript', tsx: file.endsWith('.tsx') }
    : { syntax: 'ecmascript', jsx: true };
  /** @type {Import[]} */
  const imports = [];
  const add = (/** @type {string | undefined} */ specifier, typeOnly = false) => {
    if (specifier !== undefined) imports.push({ specifier, typeOnly });
  };
  JSON.stringify(parseSync(readFileSync(file, 'utf8'), syntax), (_, node) => {
    const type = node?.type;
    if (/^(?:Import|Export(?:Named|All))Declaration$/.test(type ?? ''))
      add(node.source?.value, node.typeOnly);
    if (type === 'CallExpression' && isImportCall(node.callee)) add(node.arguments[0]?.expression.value);
    return node;
  });
  return imports;
}

/** @param {{ type: string, value?: string }} callee */
const isImportCall = ({ type, value }) => type === 'Import' || (type === 'Identifier' && value === 'require');

/**
 * @param {string} file
 * @param {string} specifier
 * @returns {string | undefined} path of the imported file; undefined for a package and for a file that is not there
 */
export function resolveImport(file, specifier) {
  if (!specifier.startsWith('.')) return undefined;
  const path = join(dirname(file), specifier);
  const candidates = [...ENDINGS.map((ending) => path + ending), path.replace(/\.js$/, '.ts')];
  return candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile());
}
