/**
 * Results: one committed summary per measurement below `results/`, and the raw figures below `.data/benchmarks/`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RAW, RESULTS, ROOT } from './paths.mjs';
import { Skip } from './skip.mjs';

/** @typedef {import('./types').Summary} Summary */

/** @param {import('./types').Machine} a @param {import('./types').Machine} b */
export const isSameMachine = (a, b) => a.cpu === b.cpu && a.cores === b.cores && a.node === b.node;

/** Whether two commits have the same gateway and inference tier. @param {string} a @param {string} b */
export function isSameProduct(a, b) {
  if (a.endsWith('+') || b.endsWith('+')) return false;
  const tiers = ['inference', 'gateway', 'package-lock.json', ':(exclude)*.md', ':(exclude)*.test.ts'];
  return spawnSync('git', ['diff', '--quiet', a, b, '--', ...tiers], { cwd: ROOT }).status === 0;
}

/**
 * Whether a tier's sources are newer than its build, so that the result may not belong to the commit. tsc leaves unchanged
 * files alone, but always updates its record of the build.
 */
export function buildIsStale() {
  const tiers = process.env.BENCH_TIER ? ['gateway'] : ['gateway', 'inference'];
  return tiers.some(
    (tier) =>
      newest(join(ROOT, tier, 'src'), /(?<!\.test)\.ts$/) >
      newest(join(ROOT, tier, 'dist'), /\.js$|tsbuildinfo$/),
  );
}

/** @param {string} folder @param {RegExp} names @returns {number} time of the latest change, 0 without files */
const newest = (folder, names) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => names.test(name))
    .reduce((latest, name) => Math.max(latest, statSync(join(folder, name)).mtimeMs), 0);

/** Five significant digits are more than any measurement here supports. @param {unknown} value */
const rounded = (value) =>
  typeof value === 'number' && !Number.isInteger(value) && Number.isFinite(value)
    ? Number(value.toPrecision(5))
    : value;

/** Short values, and values at this depth, are written on one line. */
const FITS = 400;
const DEPTH = 4;

/**
 * JSON with a line for each row and each short value, so that a change of one row is a change of one line.
 * @param {object} summary
 */
export function format(summary) {
  const flat = JSON.parse(JSON.stringify(summary, (_key, value) => rounded(value)));
  /** @param {any} value @param {number} depth @returns {string} */
  const write = (value, depth) => {
    const isNested = value && Object.values(value).some((child) => child && typeof child === 'object');
    const text = JSON.stringify(value);
    if (!isNested || ((text.length < FITS || depth >= DEPTH || value.series) && !value.rows)) return text;
    const indent = '  '.repeat(depth + 1);
    const [open, close] = Array.isArray(value) ? '[]' : '{}';
    const lines = Object.entries(value).map(([key, child]) => {
      if (key === 'rows' || key === 'steps')
        return `${indent}"${key}": [\n${child.map((row) => `${indent}  ${JSON.stringify(row)}`).join(',\n')}\n${indent}]`;
      return `${indent}${Array.isArray(value) ? '' : `${JSON.stringify(key)}: `}${write(child, depth + 1)}`;
    });
    return `${open}\n${lines.join(',\n')}\n${'  '.repeat(depth)}${close}`;
  };
  return `${write(flat, 0)}\n`;
}

/** @param {{ name: string, variant?: string }} summary */
const fileOf = ({ name, variant }) => `${name}${variant ? `-${variant}` : ''}.json`;

/** @param {Summary} summary @param {unknown} raw */
export function saveResult(summary, raw) {
  for (const [folder, text] of [
    [RAW, JSON.stringify(raw, null, 1)],
    [RESULTS, format(summary)],
  ]) {
    const path = join(folder, fileOf(summary));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** @returns {Summary[]} ordered by name */
export const readResults = () =>
  readdirSync(RESULTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(RESULTS, name), 'utf8')));

/**
 * Reads the summary of a measurement, for a measurement that builds on it.
 * @param {string} name
 * @returns {Summary}
 * @throws Skip where there is none yet
 */
export function readResult(name) {
  const path = join(RESULTS, `${name}.json`);
  if (!existsSync(path)) throw new Skip(`There is no result of ${name} yet: measure it first.`);
  return JSON.parse(readFileSync(path, 'utf8'));
}
