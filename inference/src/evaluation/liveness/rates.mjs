/**
 * APCER and BPCER by ISO/IEC 30107-3. Rates count the recordings with a response; non-responses are a rate of their own
 * (APNRR, BPNRR). An interval is Clopper and Pearson's exact one. It treats recordings as independent, which those of one
 * subject are not, so where subjects have several, the interval is also that of drawing the subjects anew, and the wider
 * bound of both counts.
 */
import { intervalOverPeople } from '../../../dist/calibration/intervals.js';
import { clopperPearson } from './clopper-pearson.mjs';
import { rules, rulesOfPage } from './product.mjs';
import { rulesWithoutMovement } from './replay.mjs';

/** A row with its labels. @typedef {import('./types').Row & import('./types').Recording} Labeled */
/** @typedef {import('./types').Cell} Cell */

/** @param {Labeled} row recordings without a subject count as different people */
const subjectOf = ({ subject, path }) => (subject === undefined ? `path ${path}` : `subject ${subject}`);

/**
 * The proportion of rows that fulfill a condition.
 * @param {readonly Labeled[]} rows
 * @param {(row: Labeled) => boolean} isHit
 * @returns {import('../report/proportion').Proportion | null} null without rows
 */
export function rateOf(rows, isHit) {
  if (rows.length === 0) return null;
  /** @type {Map<string, { hits: number, all: number }>} */
  const subjects = new Map();
  for (const row of rows) {
    const key = subjectOf(row);
    const { hits, all } = subjects.get(key) ?? { hits: 0, all: 0 };
    subjects.set(key, { hits: hits + Number(isHit(row)), all: all + 1 });
  }
  const counts = [...subjects.values()];
  const hits = counts.reduce((sum, subject) => sum + subject.hits, 0);
  return { rate: hits / rows.length, interval: intervalOf(counts, hits, rows.length) };
}

/** @param {readonly { hits: number, all: number }[]} counts of each subject @param {number} hits @param {number} all @returns {[number, number]} */
function intervalOf(counts, hits, all) {
  if (counts.length === all) return clopperPearson(hits, all);
  // Drawing subjects anew shows no spread where all have the same outcome. Then each subject counts once.
  if (hits === 0 || hits === all) return clopperPearson(hits && counts.length, counts.length);
  const [low, high] = clopperPearson(hits, all);
  const [lowest, highest] = intervalOverPeople(counts.length, (/** @type {Float64Array} */ times) => {
    let [drawnHits, drawn] = [0, 0];
    counts.forEach((subject, i) => {
      drawnHits += times[i] * subject.hits;
      drawn += times[i] * subject.all;
    });
    return drawnHits / drawn;
  });
  return [Math.min(low, lowest), Math.max(high, highest)];
}

/** @param {string} name @param {readonly Labeled[]} rows of one label @returns {Cell} */
export function cellOf(name, rows) {
  const responses = rows.filter(({ outcome }) => outcome !== 'noResponse');
  const isError = (/** @type {Labeled} */ { label, outcome }) =>
    outcome === (label === 'attack' ? 'accepted' : 'rejected');
  const names = responses.flatMap(({ reasons }) => reasons);
  const reasons = [...new Set(names)].map(
    (reason) => /** @type {const} */ ([reason, names.filter((listed) => listed === reason).length]),
  );
  return {
    name,
    recordings: rows.length,
    subjects: new Set(rows.map(subjectOf)).size,
    responses: responses.length,
    errors: responses.filter(isError).length,
    errorRate: rateOf(responses, isError),
    nonResponses: rows.length - responses.length,
    nonResponseRate: rateOf(rows, ({ outcome }) => outcome === 'noResponse'),
    reasons: reasons.sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])),
  };
}

/** A cell for each value of a label. @param {readonly Labeled[]} rows @param {'species' | 'group' | 'device'} field */
const cellsBy = (rows, field) =>
  [...new Set(rows.flatMap((row) => row[field] ?? []))]
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((value) =>
      cellOf(
        value,
        rows.filter((row) => row[field] === value),
      ),
    );

/** @param {readonly Labeled[]} rows @returns {import('./types').Attacks} */
function attacksOf(rows) {
  const species = cellsBy(rows, 'species');
  const worst = species.reduce(
    (/** @type {Cell | null} */ worstSoFar, cell) => (isWorse(cell, worstSoFar) ? cell : worstSoFar),
    null,
  );
  return { species, worst };
}

/** @param {Cell} cell @param {Cell | null} than */
function isWorse({ errorRate }, than) {
  if (!errorRate || !than?.errorRate) return errorRate !== null;
  const [rate, other] = [errorRate, than.errorRate];
  return rate.rate > other.rate || (rate.rate === other.rate && rate.interval[1] > other.interval[1]);
}

/** @param {readonly Labeled[]} rows of one kind @param {import('./types').Kind} kind @returns {import('./types').Section} */
export function sectionOf(rows, kind) {
  const bonaFide = rows.filter(({ label }) => label === 'bonaFide');
  const attacks = (/** @type {string} */ type) =>
    attacksOf(rows.filter(({ label, type: rowType }) => label === 'attack' && rowType === type));
  return {
    presentation: attacks('presentation'),
    injection: attacks('injection'),
    bonaFide: {
      all: cellOf('all', bonaFide),
      groups: cellsBy(bonaFide, 'group'),
      devices: cellsBy(bonaFide, 'device'),
    },
    rules: rulesOf(kind),
  };
}

/** @param {import('./types').Kind} kind */
function rulesOf(kind) {
  const all = Object.keys(rules.refusals);
  const isApplied = (/** @type {string} */ name) =>
    kind === 'prompted' ? !rulesOfPage.includes(name) : rulesWithoutMovement.includes(name);
  return { applied: all.filter(isApplied), notApplied: all.filter((name) => !isApplied(name)) };
}
