import { reached } from '../lib/report.mjs';
import { byOperation } from './analysis.mjs';
import type { Response } from './k6.mjs';
import { countFailures, p95Figures, unservedFigure, unservedPercent, withoutLate } from './tables.mjs';

type Figure = Parameters<typeof reached>[0];

/** A figure is read from its file, where infinity is null. */
const isReached = (figure: Figure) => reached(JSON.parse(JSON.stringify(figure)));

/** Makes as many responses of each outcome and code. */
const responses = (counts: Record<string, number>) =>
  Object.entries(counts).flatMap(([name, count]) => {
    const [outcome, code = ''] = name.split(' ');
    return Array.from(
      { length: count },
      () => ({ operation: 'detect', outcome, code, tookMs: 20 }) as Response,
    );
  });

/** `unsent`: how many requests of a step `s` were dropped. */
const run = (counts: Record<string, number>, unsent = 0, cutOff: Record<string, number> = {}) => ({
  responses: responses(counts),
  dropped: { s: Array<number>(unsent).fill(1000) },
  cutOff,
});

it('counts requests without a response as failed', () => {
  expect(countFailures(run({ ok: 90, refused: 5, wrong: 2, failed: 1 }, 9, { s: 3 }))).toBe(6);
  expect(countFailures(run({ ok: 9, refused: 1 }))).toBe(0);
});

it('leaves out responses at the deadline, and no other failure', () => {
  const all = responses({ ok: 1, 'failed DEADLINE_EXCEEDED': 2, 'failed INTERNAL_ERROR': 1, refused: 1 });
  const left = withoutLate(all).map(({ outcome, code }) => outcome + code);
  expect(left).toEqual(['ok', 'failedINTERNAL_ERROR', 'refused']);
});

it.each([
  ['refusals', run({ ok: 75, refused: 25 }), 25],
  ['requests that were cut off', run({ ok: 75 }, 0, { a: 20, b: 5 }), 25],
  ['requests that were never sent', run({ ok: 75 }, 25), 25],
  ['nothing', run({ ok: 75 }), 0],
])('counts %s as unserved', (_, seen, percent) => {
  expect(unservedPercent(seen)).toBe(percent);
});

it('misses its target without any request', () => {
  expect(isReached(unservedFigure(unservedPercent(run({}))))).toBe(false);
});

it.each([
  ['reaches the target with right responses', { ok: 5 }, 'detect', true],
  ['misses the target of an operation that was refused', { refused: 5 }, 'detect', false],
  ['misses the target of an operation without a request', { ok: 5 }, 'compare', false],
])('%s', (_, counts, operation, expected) => {
  const figures = p95Figures(byOperation(responses(counts)), [operation], 'here');
  expect(figures.map(isReached)).toEqual([expected]);
});
