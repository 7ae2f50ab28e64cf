// The result as text.

/** @typedef {import('./verdict.mjs').Row} Row */

const COLUMNS = /** @type {const} */ ({
  scenario: 'Scenario',
  outcome: 'Outcome',
  seconds: 'Seconds',
  requests: 'Requests',
  lost: 'Lost',
  wrong: 'Wrong',
  refused: 'Refused, Retry-After',
  failed: 'Failed, then retried',
  longestGapS: 'Longest gap, s',
  succeeded: 'Succeeded',
  billed: 'Billed',
});
const names = /** @type {(keyof typeof COLUMNS)[]} */ (Object.keys(COLUMNS));

/** @param {readonly Row[]} rows @returns {string} */
export function tableOf(rows) {
  const lines = [Object.values(COLUMNS), ...rows.map((row) => names.map((name) => cell(row, name)))];
  const widths = names.map((_, i) => Math.max(...lines.map((line) => String(line[i]).length)));
  const aligned = lines.map((line) =>
    line
      .map((text, i) => (i < 2 ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  const remarks = rows.flatMap(({ scenario, faults, notes }) =>
    [...faults.map((fault) => `FAILED: ${fault}`), ...notes].map((text) => `${scenario}: ${text}`),
  );
  return [...aligned, ...(remarks.length > 0 ? ['', ...remarks] : [])].join('\n');
}

/** @param {Row} row @param {keyof typeof COLUMNS} name */
function cell(row, name) {
  if (name === 'scenario' || name === 'outcome') return row[name];
  // Without load, there is nothing to count.
  if (row.outcome === 'skipped' || (row.requests === 0 && name !== 'seconds')) return '-';
  return name === 'seconds' || name === 'longestGapS' ? row[name].toFixed(1) : String(row[name]);
}

/** @param {readonly Row[]} rows */
export function summaryOf(rows) {
  const countOf = (/** @type {Row['outcome']} */ outcome) =>
    rows.filter((row) => row.outcome === outcome).length;
  return `${countOf('passed')} passed, ${countOf('failed')} failed, ${countOf('skipped')} skipped`;
}
