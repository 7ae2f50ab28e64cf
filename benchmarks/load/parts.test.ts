import { evaluate } from '../lib/testing';

const parts = "import * as parts from './load/parts.mjs'; import { reached } from './lib/report.mjs';";

/** So many answers of each outcome. */
const answers = (counts: Record<string, number>) =>
  `Object.entries(${JSON.stringify(counts)}).flatMap(([outcome, count]) => Array.from({ length: count }, () => ({
     operation: 'detect', outcome: outcome.split(' ')[0], code: outcome.split(' ')[1] ?? '', tookMs: 20 })))`;

/** `unsent`: how many requests of a step `s` were dropped. */
const run = (counts: Record<string, number>, unsent = 0, unanswered = {}) =>
  `{ answers: ${answers(counts)}, dropped: { s: ${JSON.stringify(Array(unsent).fill(1000))} }, unanswered: ${JSON.stringify(unanswered)} }`;

const bar = (expression: string) =>
  evaluate<{ value: number; reached: boolean }>(
    parts,
    `[${expression}].map((bar) => ({ value: bar.value, reached: reached(JSON.parse(JSON.stringify(bar))) }))[0]`,
  );

it('counts what never had an answer as failed, over all runs', () => {
  const runs = [run({ ok: 90, refused: 5, wrong: 2, failed: 1 }, 9, { s: 3 }), run({ failed: 1 })];
  expect(bar(`parts.wrongBar(${runs.join()})`)).toEqual({ value: 7, reached: false });
  expect(bar(`parts.wrongBar(${run({ ok: 9, refused: 1 })})`)).toEqual({ value: 0, reached: true });
});

it('leaves out what came at the deadline, and no other failure', () => {
  const all = answers({ ok: 1, 'failed DEADLINE_EXCEEDED': 2, 'failed INTERNAL_ERROR': 1, refused: 1 });
  const left = `parts.withoutLate(${all}).map(({ outcome, code }) => outcome + code)`;
  expect(evaluate(parts, left)).toEqual(['ok', 'failedINTERNAL_ERROR', 'refused']);
});

it.each([
  ['refusals', run({ ok: 75, refused: 25 })],
  ['answers that never came', run({ ok: 75 }, 0, { a: 20, b: 5 })],
  ['requests that were never sent', run({ ok: 75 }, 25)],
])('holds %s against load that should be carried', (_, seen) => {
  expect(bar(`parts.unservedBar(${seen})`)).toEqual({ value: 25, reached: false });
});

it('is reached where all is answered, and not where nothing was asked', () => {
  expect(bar(`parts.unservedBar(${run({ ok: 75 })})`)).toEqual({ value: 0, reached: true });
  expect(bar(`parts.unservedBar(${run({})})`).reached).toBe(false);
});

it('misses the time of an operation without a right answer', () => {
  const p95 = (counts: Record<string, number>, operation = 'detect') =>
    bar(`...parts.p95Bars(parts.byOperation(${answers(counts)}), ['${operation}'], 'here')`);
  expect(p95({ ok: 5 })).toEqual({ value: 20, reached: true });
  expect(p95({ refused: 5 }).reached).toBe(false);
  expect(p95({ ok: 5 }, 'compare').reached).toBe(false);
});
