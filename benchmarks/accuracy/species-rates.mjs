/**
 * Counts and rates of presentations by species. The APCER of several species is that of the worst one (ISO/IEC 30107-3, which
 * takes the maximum over the species of an attack potential): a mean would fall with every easy species that is added.
 */
import { atMost } from '../lib/figures.mjs';
import { clopperPearson, sampleOf, sum } from '../lib/stats.mjs';

/** @typedef {'standard' | 'strict'} Level */
/** @typedef {{ isLive: boolean, reasons: readonly string[] }} Judged */
/** @typedef {{ species: string, kind: string, forced: number, signals: object } & Record<Level, Judged>} Row */
/** @typedef {{ live: number, reasons: [name: string, count: number][] }} Counted */
/** @typedef {{ species: string, count: number } & Record<Level, Pick<Counted, 'live'>>} Species */

/** @param {readonly Row[]} rows of one species, at least one */
export function countRows(rows) {
  const [{ species, kind }] = /** @type {[Row]} */ (rows);
  /** @param {Level} level @returns {Counted} */
  const under = (level) => {
    const names = rows.flatMap((row) => row[level].reasons);
    const reasons = [...new Set(names)].map(
      (name) => /** @type {[string, number]} */ ([name, names.filter((reason) => reason === name).length]),
    );
    return {
      live: rows.filter((row) => row[level].isLive).length,
      reasons: reasons.sort((a, b) => b[1] - a[1]),
    };
  };
  return {
    species,
    kind,
    count: rows.length,
    standard: under('standard'),
    strict: under('strict'),
    stopped: rows.filter(({ forced }) => forced > 0).length,
    signals: rows.map(({ signals }) => signals),
  };
}

/**
 * The species that is accepted most often; of equal ones, the one with the highest upper bound.
 * @template {Species} One
 * @param {readonly One[]} rows at least one
 * @param {Level} level
 */
export function worstOf(rows, level) {
  const rate = (/** @type {Species} */ species) => species[level].live / species.count;
  const bound = (/** @type {Species} */ species) => clopperPearson(species[level].live, species.count)[1];
  return rows.reduce((a, b) => ((rate(b) - rate(a) || bound(b) - bound(a)) > 0 ? b : a));
}

/** @param {readonly Species[]} rows @param {Level} level @returns {[live: number, count: number]} */
export const liveOf = (rows, level) => [
  sum(rows.map((species) => species[level].live)),
  sum(rows.map(({ count }) => count)),
];

/**
 * The APCER of the worst species and its interval.
 * @param {string} name
 * @param {readonly Species[]} rows
 * @param {Level} level
 * @param {number} target in per cent
 */
export function apcer(name, rows, level, target) {
  if (rows.length === 0) return [];
  const sample = sampleOfWorst(rows, level);
  return [atMost(`APCER, ${name}`, (100 * sample.hits) / sample.n, '%', target, sample)];
}

/** The upper bound of the worst species' APCER under the policy `standard`. @param {string} name @param {readonly Species[]} rows */
export function upperBound(name, rows) {
  if (rows.length === 0) return [];
  const sample = sampleOfWorst(rows, 'standard');
  return [atMost(`APCER, 95 % upper bound, worst of the ${name}`, sample.interval[1], '%', 5, sample)];
}

/** @param {readonly Species[]} rows @param {Level} level */
function sampleOfWorst(rows, level) {
  const { species, count, [level]: counted } = worstOf(rows, level);
  const sampleName =
    rows.length > 1 ? `presentations of the worst of ${rows.length} species, ${species}` : 'presentations';
  return sampleOf(counted.live, count, sampleName);
}

/**
 * The share of all presentations that pass. It depends on the choice of species and is no APCER.
 * @param {string} name
 * @param {readonly Species[]} rows
 * @param {Level} level
 * @param {number} target in per cent
 */
export function passing(name, rows, level, target) {
  if (rows.length === 0) return [];
  const [live, count] = liveOf(rows, level);
  return [atMost(name, (100 * live) / count, '%', target, sampleOf(live, count, 'presentations'))];
}
