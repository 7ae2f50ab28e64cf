import { evaluate } from '../lib/testing';

const analysis = "import * as analysis from './load/analysis.mjs';";

/** Responses of one step, one every 100 ms from 0, each taking `tookMs`; the last `refused` of them are refusals. */
const step = (count: number, tookMs: number, refused = 0) =>
  `Array.from({ length: ${count} }, (_, i) => ({ scenario: 's', operation: 'detect', code: '', plan: '', image: '',
    outcome: i < ${count - refused} ? 'ok' : 'refused', beginMs: 100 * i, endMs: 100 * i + ${tookMs}, tookMs: ${tookMs} }))`;

const stepFigures = (responses: string, more = '') =>
  evaluate<Record<string, number>>(
    analysis,
    `analysis.stepFigures({ responses: ${responses}, dropped: {}, cutOff: {}, samples: [], ${more} },
      { name: 's', perSecond: 10, seconds: 10, leadSeconds: 2 })`,
  );

describe('stepFigures', () => {
  it('counts responses from the end of the lead-in on', () => {
    expect(stepFigures(step(100, 50))).toMatchObject({
      offeredPerSecond: 10,
      servedPerSecond: 10,
      refusedShare: 0,
      failedShare: 0,
      p50Ms: 50,
      p99Ms: 50,
    });
  });

  it('reveals a growing backlog: responses after the end of the step do not count', () => {
    // Each response takes 30 ms longer than the one before, so fewer than ten arrive in a second.
    const late = step(100, 0).replace('endMs: 100 * i + 0, tookMs: 0', 'endMs: 130 * i, tookMs: 30 * i');
    expect(stepFigures(late).servedPerSecond).toBeCloseTo(10 / 1.3, 0);
  });

  it('counts refusals and requests that were never sent as shares of the offered load', () => {
    const unsent = 'Array.from({ length: 20 }, (_, i) => 8000 + 100 * i)';
    const seen = stepFigures(step(80, 50, 8), `dropped: { s: ${unsent}, other: [5000] }`);
    expect(seen.refusedShare).toBeCloseTo(8 / 80);
    expect(seen.failedShare).toBeCloseTo(20 / 80);
    const early = stepFigures(step(80, 50, 8), 'dropped: { s: [500, 1000] }, cutOff: { s: 10, other: 5 }');
    expect(early.failedShare).toBeCloseTo(8 / 80);
  });

  it('counts a response at the deadline as a late refusal', () => {
    const late = step(100, 50, 8)
      .replace("'refused'", "'failed'")
      .replace("code: ''", "code: i < 92 ? '' : 'DEADLINE_EXCEEDED'");
    expect(stepFigures(late)).toMatchObject({ refusedShare: 0.1, failedShare: 0 });
    expect(stepFigures(late.replace('DEADLINE_EXCEEDED', 'INTERNAL_ERROR'))).toMatchObject({
      refusedShare: 0,
      failedShare: 0.1,
    });
  });

  it('reports the lateness of each request in the window', () => {
    expect(stepFigures(step(100, 50)).lateness).toBe('0 '.repeat(80).trim());
    const late = step(100, 50).replace('beginMs: 100 * i', 'beginMs: 100 * i + (i % 40 === 39 ? 250 : 0)');
    const seen = String(stepFigures(late).lateness).split(' ');
    expect(seen.filter((one) => one === '250')).toHaveLength(2);
    expect(seen.filter((one) => one === '0')).toHaveLength(78);
  });

  it('takes requests that were never sent into account: later ones were not late', () => {
    const some = `${step(100, 50)}.filter((_, i) => i < 40 || i >= 60)`;
    const unsent = 'Array.from({ length: 20 }, (_, i) => 4000 + 100 * i)';
    expect(stepFigures(some, `dropped: { s: ${unsent} }`).lateness).toBe('0 '.repeat(60).trim());
  });

  it('has no percentiles without a right response, and throws without any response', () => {
    expect(stepFigures(step(100, 50, 100)).p95Ms).toBeNull();
    expect(() => stepFigures('[]')).toThrow(/got a response/);
  });
});

describe('resourceFigures', () => {
  it('gives cores, highest memory and the queue, without failed samples', () => {
    const samples = `[0, 1, 2].map((i) => ({ atMs: 1000 * i, cpuSeconds: { a: 0.5 * i, ...(i > 0 && { b: 1 }) },
      rssMb: { a: 10 + (i % 2), ...(i > 0 && { b: 3 }) }, queueLength: i === 1 ? Number.NaN : 4 * i }))`;
    expect(evaluate(analysis, `analysis.resourceFigures(${samples})`)).toEqual({
      queueLength: 4,
      queueMost: 8,
      cpuCores: { a: 0.5 },
      rssMb: { a: 11 },
    });
  });
});

describe('kneeOf', () => {
  const knee = (rows: [offered: number, served: number, p95: number | null, refused: number][]) =>
    evaluate(
      analysis,
      `analysis.kneeOf(${JSON.stringify(
        rows.map(([offeredPerSecond, servedPerSecond, p95Ms, refusedShare]) => ({
          offeredPerSecond,
          servedPerSecond,
          p95Ms,
          refusedShare,
          windowSeconds: 100,
        })),
      )}, 1000)`,
    );

  it('is the highest rate that is carried', () => {
    expect(
      knee([
        [10, 10, 50, 0],
        [20, 19.9, 90, 0],
        [30, 24, 90, 0],
      ]),
    ).toEqual({ perSecond: 20, p95Ms: 90 });
  });

  it.each([
    ['late responses', [20, 20, 1001, 0]],
    ['refusals', [20, 20, 90, 0.001]],
    ['a backlog', [20, 19.7, 90, 0]],
    ['no response', [20, 0, null, 0]],
  ] as const)('ends at %s, whatever comes after', (_, [offered, served, p95, refused]) => {
    expect(
      knee([
        [30, 30, 50, 0],
        [10, 10, 50, 0],
        [offered, served, p95, refused],
      ]),
    ).toMatchObject({
      perSecond: 10,
    });
  });

  it('tolerates one or two responses outside the window', () => {
    const step = (servedPerSecond: number) =>
      `{ offeredPerSecond: 4.5, windowSeconds: 9, servedPerSecond: ${servedPerSecond}, p95Ms: 9, refusedShare: 0 }`;
    const carried = (served: number) => evaluate(analysis, `analysis.isCarried(${step(served)}, 1000)`);
    expect([carried(39 / 9), carried(37 / 9)]).toEqual([true, false]);
  });

  it('is null where the first step is not carried', () => {
    expect(knee([[10, 5, 50, 0.5]])).toBeNull();
  });
});

it('counts core-hours of the product alone', () => {
  const cost = `analysis.coreHoursPerMillion({ servedPerSecond: 50, cpuCores: { gateway: 0.2, inference: 1.58, redis: 0.02, k6: 9 } }, 2)`;
  // 1.8 cores for 100 images a second: 18 ms each, 18,000 s for a million, 5 hours.
  expect(evaluate(analysis, cost)).toBeCloseTo(5);
});

it('recovers with the last request that was refused or late', () => {
  const after = `[[1000, 'ok', 20], [2000, 'refused', 5], [3000, 'ok', 1500], [4000, 'ok', 30]]
    .map(([beginMs, outcome, tookMs]) => ({ beginMs, outcome, tookMs }))`;
  const recovery = (list: string) => evaluate(analysis, `analysis.recoverySeconds(${list}, 500, 1000)`);
  expect(recovery(after)).toBe(2.5);
  expect(recovery(`${after}.slice(3)`)).toBe(0);
});

it('never recovers without a right response', () => {
  const after = `[[1000, 'refused', 20]].map(([beginMs, outcome, tookMs]) => ({ beginMs, outcome, tookMs }))`;
  const recovery = (list: string) =>
    evaluate(analysis, `String(analysis.recoverySeconds(${list}, 500, 1000))`);
  expect([recovery('[]'), recovery(after)]).toEqual(['Infinity', 'Infinity']);
});
