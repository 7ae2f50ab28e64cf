// Counts what clients met during one scenario, and decides whether it passed.

/**
 * @typedef {import('../load/pod.mjs').Result} Result
 * @typedef {import('../load/pod.mjs').Attempt} Attempt
 *
 * @typedef {object} Row
 * @property {string} scenario
 * @property {'passed' | 'failed' | 'skipped'} outcome
 * @property {number} seconds
 * @property {number} requests
 * @property {number} lost requests without a result after all retries
 * @property {number} wrong results that differ from the right one
 * @property {number} refused attempts with an error and Retry-After
 * @property {number} failed other attempts without a result: clients had to retry
 * @property {number} longestGapS between two successful responses of the API, while requests arrive
 * @property {number} succeeded units that clients got
 * @property {number} billed units
 * @property {readonly string[]} faults what is not good enough
 * @property {readonly string[]} notes
 * @property {Readonly<Record<string, number>>} [failures] attempts without a result, by status or error
 */

const EMPTY = {
  requests: 0,
  lost: 0,
  wrong: 0,
  refused: 0,
  failed: 0,
  longestGapS: 0,
  succeeded: 0,
  billed: 0,
};

/** @param {string} scenario @param {string} reason @returns {Row} */
export const skippedRow = (scenario, reason) => ({
  scenario,
  outcome: 'skipped',
  seconds: 0,
  ...EMPTY,
  faults: [],
  notes: [reason],
});

/**
 * A scenario without load.
 * @param {string} scenario
 * @param {{ seconds: number, faults: readonly string[], notes: readonly string[] }} found
 * @returns {Row}
 */
export const rowOf = (scenario, { seconds, faults, notes }) => ({
  scenario,
  outcome: faults.length > 0 ? 'failed' : 'passed',
  seconds,
  ...EMPTY,
  faults,
  notes,
});

/**
 * @param {string} scenario
 * @param {object} found
 * @param {Result} found.result
 * @param {Readonly<Record<string, number>>} found.billed units by account
 * @param {number} found.seconds
 * @param {boolean} found.withoutRetry whether no request may fail, so that no client would have to retry
 * @param {readonly string[]} found.faults of the scenario itself
 * @param {readonly string[]} found.notes
 * @returns {Row}
 */
export function judge(scenario, { result, billed, seconds, withoutRetry, faults, notes }) {
  const { requests, wrong, skipped } = result;
  const attempts = requests.flatMap(({ attempts }) => attempts);
  const refused = attempts.filter(({ failed, retryMs }) => failed && retryMs !== undefined);
  const failed = attempts.filter(({ failed, retryMs }) => failed && retryMs === undefined);
  const broken = attempts.filter((attempt) => attempt.failed && !isOverload(attempt));
  const lost = requests.filter((request) => request.lost).length;
  const defects = requests.reduce((sum, request) => sum + request.defects, 0);
  const succeeded = unitsOf(requests);
  const bars = [
    [lost > 0, `${lost} requests were lost`],
    [wrong.length > 0, `${wrong.length} results were wrong: ${wrong.slice(0, 3).join('; ')}`],
    // Errors of two accounts could cancel each other out.
    ...Object.entries(billed).map(([kind, units]) => {
      const ownUnits = unitsOf(requests.filter(({ account }) => account === kind));
      return [units !== ownUnits, `${kind}: ${ownUnits} units succeeded and ${units} billed`];
    }),
    [defects > 0, `${defects} responses had status 500`],
    [skipped > 0, `${skipped} requests were due and could not be sent`],
    [succeeded === 0, 'no request succeeded'],
    [
      withoutRetry && broken.length > 0,
      `${broken.length} attempts failed, where none may: ${textOf(count(broken.map(({ name }) => name)))}`,
    ],
  ];
  const all = [...faults, ...bars.flatMap(([isFault, sentence]) => (isFault ? [String(sentence)] : []))];
  return {
    ...rowOf(scenario, { seconds, faults: all, notes }),
    requests: requests.length,
    lost,
    wrong: wrong.length,
    refused: refused.length,
    failed: failed.length,
    longestGapS: longestGap(result) / 1e3,
    succeeded,
    billed: Object.values(billed).reduce((sum, units) => sum + units, 0),
    failures: count([...refused, ...failed].map(({ name }) => name)),
  };
}

/** A busy service refuses some requests. Any other failure means that a part of it was not there. @param {Attempt} attempt */
const isOverload = ({ name, retryMs }) => retryMs !== undefined && /^(?:429\b|503 overload$)/.test(name);

/** @param {readonly import('../load/pod.mjs').Request[]} requests */
const unitsOf = (requests) => requests.reduce((sum, { units }) => sum + units, 0);

/** @param {Result} result @returns {number} ms */
function longestGap({ requests, stoppedAt }) {
  const times = requests
    .filter(({ account }) => account !== 'site')
    .flatMap(({ attempts }) => attempts.filter(({ failed }) => !failed).map(({ to }) => to))
    .filter((to) => to <= stoppedAt)
    .sort((a, b) => a - b);
  return Math.max(0, ...times.slice(1).map((time, i) => time - Number(times[i])));
}

/** @param {readonly string[]} names */
function count(names) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** @param {Readonly<Record<string, number>>} counts */
const textOf = (counts) =>
  Object.entries(counts)
    .map(([name, number]) => `${number} x ${name}`)
    .join(', ');
