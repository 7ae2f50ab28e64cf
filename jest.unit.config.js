// `npm run test:unit`: the inner loop. A unit test lies beside its source, and its imports reach none of the modules below,
// so it needs no browser, model, Redis, process or build. The selection follows the imports by itself. A test that loads
// one of these packages in another way fails, because they are mapped to a module that throws.
const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs');
const { dirname, join, sep } = require('node:path');
const base = require('./jest.config.js');

const PACKAGES = [
  ...['playwright-core', 'linkinator', 'lighthouse', 'gatsby'], // a browser, or the built site
  ...['onnxruntime-node', '@tensorflow/[\\w-]+', '@vladmandic/[\\w-]+', 'nsfwjs', 'piscina'], // models and workers
  ...['ioredis', 'bullmq'], // Redis
];
const pattern = (names) => new RegExp(`^(?:${names.join('|')})(?:/(?!package\\.json$)|$)`);
const isPackage = pattern(PACKAGES);
/** Packages of others load the modules of Node, but do not use them to start something. */
const isResource = pattern([...PACKAGES, '(?:node:)?child_process', '(?:node:)?worker_threads']);

/** Imports for their types vanish when a file is compiled. */
const IMPORT =
  /^(?:import|export)\s(?!type\b)[^'"`;]*?(?:from\s*)?['"]([^'"]+)['"]|\b(?:require|import)\(\s*['"]([^'"]+)['"]/gm;

const isFile = (path) => existsSync(path) && statSync(path).isFile();

/** Path of a relative import, without the endings that TypeScript leaves out. */
const resolve = (from, name) =>
  ['', '.ts', '.tsx', '.mjs', '.js', '/index.ts', '/index.tsx']
    .map((end) => join(dirname(from), name + end))
    .find(isFile);

const known = new Map();

/** Whether the imports of a file reach a resource. */
function needsResources(file) {
  if (known.has(file)) return known.get(file);
  known.set(file, false); // for imports in a circle
  const names = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, from, called]) => from ?? called);
  const needs = names.some((name) => {
    if (!name.startsWith('.')) return isResource.test(name);
    const path = resolve(file, name);
    return path !== undefined && /\.[mt]?[jt]sx?$/.test(path) && needsResources(path);
  });
  known.set(file, needs);
  return needs;
}

/** Test files beside their sources. */
const list = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return OTHERS.has(entry.name) ? [] : list(path);
    return /\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });

/** Folders with tests across modules, with packages, and with output of builds. */
const OTHERS = new Set(['test', 'node_modules', 'dist', 'public', '.cache']);

const projects = base.projects.filter(({ displayName }) => displayName !== 'live');

/** The innermost project of a file: the contract's folder is in the gateway's. */
const projectOf = (file) =>
  projects
    .filter(({ rootDir }) => file.startsWith(rootDir + sep))
    .sort((a, b) => b.rootDir.length - a.rootDir.length)[0];

const units = list(__dirname).filter((file) => !needsResources(file));

module.exports = {
  ...base,
  projects: projects.flatMap(({ testPathIgnorePatterns, testEnvironment, moduleNameMapper, ...project }) => {
    const testMatch = units.filter((file) => projectOf(file)?.rootDir === project.rootDir);
    if (testMatch.length === 0) return [];
    const guard = { [isPackage.source]: join(__dirname, 'jest.unit.guard.js') };
    return { ...project, testEnvironment: 'node', testMatch, moduleNameMapper: guard };
  }),
};
