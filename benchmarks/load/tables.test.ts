import { evaluate } from '../lib/testing';

const imports = `
  import * as tables from './load/tables.mjs';
  import { byOperation } from './load/analysis.mjs';
  import { reached } from './lib/report.mjs';
  const isReached = (figure) => reached(JSON.parse(JSON.stringify(figure)));`;

/** So many responses of each outcome. */
const responses = (counts: Record<string, number>) =>
  `Object.entries(${JSON.stringify(counts)}).flatMap(([outcome, count]) => Array.from({ length: count }, () => ({
     operation: 'detect', outcome: outcome.split(' ')[0], code: outcome.split(' ')[1] ?? '', tookMs: 20 })))`;

/** `unsent`: how many requests of a step `s` were dropped. */
const run = (counts: Record<string, number>, unsent = 0, cutOff = {}) =>
  `{ responses: ${responses(counts)}, dropped: { s: ${JSON.stringify(Array(unsent).fill(1000))} }, cutOff: ${JSON.stringify(cutOff)} }`;

it('counts requests without a response as failed, over all runs', () => {
  const runs = [run({ ok: 90, refused: 5, wrong: 2, failed: 1 }, 9, { s: 3 }), run({ failed: 1 })];
  expect(evaluate(imports, `tables.countFailures(${runs.join()})`)).toBe(7);
  expect(evaluate(imports, `tables.countFailures(${run({ ok: 9, refused: 1 })})`)).toBe(0);
});

it('leaves out responses at the deadline, and no other failure', () => {
  const all = responses({ ok: 1, 'failed DEADLINE_EXCEEDED': 2, 'failed INTERNAL_ERROR': 1, refused: 1 });
  const left = `tables.withoutLate(${all}).map(({ outcome, code }) => outcome + code)`;
  expect(evaluate(imports, left)).toEqual(['ok', 'failedINTERNAL_ERROR', 'refused']);
});

it.each([
  ['refusals', run({ ok: 75, refused: 25 }), 25],
  ['requests that were cut off', run({ ok: 75 }, 0, { a: 20, b: 5 }), 25],
  ['requests that were never sent', run({ ok: 75 }, 25), 25],
  ['nothing', run({ ok: 75 }), 0],
])('counts %s as unserved', (_, seen, percent) => {
  expect(evaluate(imports, `tables.unservedPercent(${seen})`)).toBe(percent);
});

it('misses its target without any request', () => {
  const figure = `tables.unservedFigure(tables.unservedPercent(${run({})}))`;
  expect(evaluate(imports, `isReached(${figure})`)).toBe(false);
});

it('misses the latency of an operation without a right response', () => {
  const p95 = (counts: Record<string, number>, operation = 'detect') =>
    evaluate(
      imports,
      `tables.p95Figures(byOperation(${responses(counts)}), ['${operation}'], 'here').map(isReached)`,
    );
  expect(p95({ ok: 5 })).toEqual([true]);
  expect(p95({ refused: 5 })).toEqual([false]);
  expect(p95({ ok: 5 }, 'compare')).toEqual([false]);
});
