/** One JSON file per measurement below `results/`, and the page that is generated from all of them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { dirname, join } from 'node:path';
import { renderChart } from './chart.mjs';
import { RESULTS, ROOT } from './paths.mjs';
import { chartsOf, renderReport } from './report.mjs';

/** @typedef {import('./types').Result} Result */
/** @typedef {import('./types').Measurement} Measurement */

/** @returns {import('./types').Machine} */
export function describeMachine() {
  return {
    cpu: cpus()[0]?.model.trim() ?? arch(),
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    os: `${type()} ${release()} ${arch()}`,
    node: process.version,
    loadBefore: round(loadavg()[0]),
  };
}

/** Commit of the working tree; `+` says that tracked files of the product differ from it. */
export function describeCommit() {
  try {
    /** @param {string[]} args */
    const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
    const changed = git('status', '--porcelain', '--', 'inference', 'gateway', 'package-lock.json');
    return `${git('rev-parse', '--short=12', 'HEAD')}${changed ? '+' : ''}`;
  } catch {
    return 'unknown';
  }
}

/** @param {import('./types').Machine} a @param {import('./types').Machine} b */
export const isSameMachine = (a, b) => a.cpu === b.cpu && a.cores === b.cores && a.node === b.node;

/** Whether gateway and inference are the same in two commits: documents may differ. @param {string} a @param {string} b */
export function isSameProduct(a, b) {
  if (a.endsWith('+') || b.endsWith('+')) return false;
  const tiers = ['inference', 'gateway', 'package-lock.json', ':(exclude)*.md', ':(exclude)*.test.ts'];
  return spawnSync('git', ['diff', '--quiet', a, b, '--', ...tiers], { cwd: ROOT }).status === 0;
}

/**
 * Whether sources of a tier are newer than its build: then the commit may not be what was measured. tsc leaves files
 * alone that would not change, but not its own record of the build.
 */
export function buildIsStale() {
  const tiers = process.env.BENCH_TIER ? ['gateway'] : ['gateway', 'inference'];
  return tiers.some(
    (tier) =>
      newest(join(ROOT, tier, 'src'), /(?<!\.test)\.ts$/) >
      newest(join(ROOT, tier, 'dist'), /\.js$|tsbuildinfo$/),
  );
}

/** @param {string} folder @param {RegExp} names @returns {number} the latest change of its files, 0 without any */
const newest = (folder, names) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => names.test(name))
    .reduce((latest, name) => Math.max(latest, statSync(join(folder, name)).mtimeMs), 0);

/** Five significant digits say more than any measurement here can. @param {number} value */
export const round = (value) => (Number.isFinite(value) ? Number(value.toPrecision(5)) : value);

/** With its numbers rounded. @template T @param {T} value @returns {T} */
export const asSaved = (value) =>
  value &&
  JSON.parse(
    JSON.stringify(value, (_key, one) =>
      typeof one === 'number' && !Number.isInteger(one) ? round(one) : one,
    ),
  );

/** @param {Result} result */
const pathOf = ({ name, variant }) => join(RESULTS, `${name}${variant ? `-${variant}` : ''}.json`);

/** @param {Result} result */
export function saveResult(result) {
  const path = pathOf(result);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(asSaved(result), null, 2)}\n`);
  format(path);
  return path;
}

/** Results are checked in, so they follow the repository's format. @param {string} path */
function format(path) {
  const biome = join(ROOT, 'node_modules', '.bin', 'biome');
  spawnSync(biome, ['format', '--write', path], { cwd: ROOT, stdio: 'ignore' });
}

/** @returns {Result[]} ordered by name */
export function readResults() {
  mkdirSync(RESULTS, { recursive: true });
  return readdirSync(RESULTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(RESULTS, name), 'utf8')));
}

/**
 * A result with the bars that its measurement derives from the figures now, saved where they differ.
 * @param {Result} result @param {readonly Measurement[]} measurements
 */
function restate(result, measurements) {
  const measurement = measurements.find(({ name }) => name === result.name);
  if (!measurement?.bars) return result;
  saveResult({ ...result, bars: measurement.bars(result.figures, result.parameters) });
  return /** @type {Result} */ (JSON.parse(readFileSync(pathOf(result), 'utf8')));
}

/** Writes RESULTS.md and its charts anew from every file. @param {readonly Measurement[]} measurements */
export function writeReport(measurements) {
  const path = join(RESULTS, 'RESULTS.md');
  const results = readResults().map((result) => restate(result, measurements));
  for (const result of results) {
    const measurement = measurements.find(({ name }) => name === result.name);
    for (const { path: file, chart } of chartsOf(result, measurement)) {
      mkdirSync(dirname(join(RESULTS, file)), { recursive: true });
      writeFileSync(join(RESULTS, file), renderChart(chart));
    }
  }
  writeFileSync(path, renderReport(results, measurements));
  return path;
}
