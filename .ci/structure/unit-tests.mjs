// Selects the tests of `npm run test:unit`: those that lie beside their sources and whose imports reach no resource.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf, isSource, resolveImport } from '../../gateway/harness/imports.mjs';

const PACKAGES = [
  // A browser, or the built site
  'playwright-core',
  'linkinator',
  'gatsby',
  // Models and workers
  'onnxruntime-node',
  '@tensorflow/[\\w-]+',
  '@vladmandic/[\\w-]+',
  'nsfwjs',
  'piscina',
  // Redis
  'ioredis',
  'bullmq',
];
const pattern = (/** @type {string[]} */ names) =>
  new RegExp(`^(?:${names.join('|')})(?:/(?!package\\.json$)|$)`);

/** Names of the packages that start a resource. */
export const RESOURCES = pattern(PACKAGES);
/** Other packages load these modules of Node as well, but do not start anything with them. */
const STARTERS = pattern(['(?:node:)?child_process', '(?:node:)?worker_threads']);

/** Folders with tests across modules, with packages, and with output of builds. */
const OTHERS = new Set(['test', 'node_modules', 'dist', 'public', '.cache']);

/** @param {string} folder @returns {string[]} paths of the unit tests in it */
export function selectUnitTests(folder) {
  /** @type {Map<string, boolean>} */
  const known = new Map();
  return listTests(folder).filter((file) => !needsResources(file, known));
}

/** @param {string} folder @returns {string[]} test files beside their sources */
function listTests(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return OTHERS.has(entry.name) ? [] : listTests(path);
    return /\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/**
 * Whether the imports of a file reach a resource.
 * @param {string} file
 * @param {Map<string, boolean>} known results by file
 * @returns {boolean}
 */
function needsResources(file, known) {
  const result = known.get(file);
  if (result !== undefined) return result;
  known.set(file, false); // ends the recursion for circular imports
  const needs = importsOf(file).some(({ specifier, typeOnly }) => {
    if (typeOnly) return false;
    if (RESOURCES.test(specifier) || STARTERS.test(specifier)) return true;
    const path = resolveImport(file, specifier);
    return path !== undefined && isSource(path) && needsResources(path, known);
  });
  known.set(file, needs);
  return needs;
}
