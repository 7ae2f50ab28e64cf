import {
  coreHoursPerMillion,
  stepFigures as figuresOf,
  isCarried,
  kneeOf,
  recoverySeconds,
  resourceFigures,
} from './analysis.mjs';
import type { Response } from './k6.mjs';

const sent = (response: Partial<Response>) =>
  ({ scenario: 's', operation: 'detect', outcome: 'ok', code: '', image: '', ...response }) as Response;

/** Responses of one step, one every 100 ms from 0, each taking `tookMs`; the last ones are as `last` says. */
const step = (
  count: number,
  tookMs: number,
  lastCount = 0,
  last: Partial<Response> = { outcome: 'refused' },
) =>
  Array.from({ length: count }, (_, i) =>
    sent({
      beginMs: 100 * i,
      endMs: 100 * i + tookMs,
      tookMs,
      ...(i >= count - lastCount && last),
    }),
  );

const stepFigures = (
  responses: Response[],
  more: { dropped?: Record<string, number[]>; cutOff?: Record<string, number> } = {},
) =>
  figuresOf(
    { responses, dropped: {}, cutOff: {}, samples: [], ...more },
    { name: 's', perSecond: 10, seconds: 10, leadSeconds: 2 },
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
    const late = step(100, 0).map((response, i) => ({ ...response, endMs: 130 * i, tookMs: 30 * i }));
    expect(stepFigures(late).servedPerSecond).toBeCloseTo(10 / 1.3, 0);
  });

  it('counts refusals and requests that were never sent as shares of the offered load', () => {
    const unsent = Array.from({ length: 20 }, (_, i) => 8000 + 100 * i);
    const seen = stepFigures(step(80, 50, 8), { dropped: { s: unsent, other: [5000] } });
    expect(seen.refusedShare).toBeCloseTo(8 / 80);
    expect(seen.failedShare).toBeCloseTo(20 / 80);
    const early = { dropped: { s: [500, 1000] }, cutOff: { s: 10, other: 5 } };
    expect(stepFigures(step(80, 50, 8), early).failedShare).toBeCloseTo(8 / 80);
  });

  it.each([
    ['DEADLINE_EXCEEDED', { refusedShare: 0.1, failedShare: 0 }],
    ['INTERNAL_ERROR', { refusedShare: 0, failedShare: 0.1 }],
  ])('counts a failure only at the deadline as a late refusal: %s', (code, expected) => {
    expect(stepFigures(step(100, 50, 8, { outcome: 'failed', code }))).toMatchObject(expected);
  });

  it('has no percentiles without a right response, and throws without any response', () => {
    expect(stepFigures(step(100, 50, 100)).p95Ms).toBeNull();
    expect(() => stepFigures([])).toThrow(/got a response/);
  });
});

describe('resourceFigures', () => {
  it('gives cores, highest memory and the queue, without failed samples', () => {
    const samples = [0, 1, 2].map((i) => ({
      atMs: 1000 * i,
      cpuSeconds: { a: 0.5 * i, ...(i > 0 && { b: 1 }) } as Record<string, number>,
      rssMb: { a: 10 + (i % 2), ...(i > 0 && { b: 3 }) } as Record<string, number>,
      queueLength: i === 1 ? Number.NaN : 4 * i,
    }));
    expect(resourceFigures(samples)).toEqual({
      queueLength: 4,
      queueMost: 8,
      cpuCores: { a: 0.5 },
      rssMb: { a: 11 },
    });
  });
});

describe('kneeOf', () => {
  type Row = readonly [offered: number, served: number, p95: number | null, refused: number];
  const steps = (rows: readonly Row[]) =>
    rows.map(([offeredPerSecond, servedPerSecond, p95Ms, refusedShare]) => ({
      ...stepFigures(step(100, 50)),
      offeredPerSecond,
      servedPerSecond,
      p95Ms,
      refusedShare,
      windowSeconds: 100,
    }));
  const knee = (...rows: readonly Row[]) => kneeOf(steps(rows), 1000);

  it('is the highest rate that is carried', () => {
    expect(knee([10, 10, 50, 0], [20, 19.9, 90, 0], [30, 24, 90, 0])).toEqual({ perSecond: 20, p95Ms: 90 });
  });

  it.each([
    ['late responses', [20, 20, 1001, 0]],
    ['refusals', [20, 20, 90, 0.001]],
    ['a backlog', [20, 19.7, 90, 0]],
    ['no response', [20, 0, null, 0]],
  ] as const)('ends at %s, whatever comes after', (_, row) => {
    expect(knee([30, 30, 50, 0], [10, 10, 50, 0], row)).toMatchObject({ perSecond: 10 });
  });

  it('tolerates one or two responses outside the window', () => {
    const carried = (served: number) =>
      isCarried(
        { offeredPerSecond: 4.5, windowSeconds: 9, servedPerSecond: served / 9, p95Ms: 9, refusedShare: 0 },
        1000,
      );
    expect([carried(39), carried(37)]).toEqual([true, false]);
  });

  it('is null where the first step is not carried', () => {
    expect(knee([10, 5, 50, 0.5])).toBeNull();
  });
});

it('counts core-hours of the product alone', () => {
  const cpuCores = { gateway: 0.2, inference: 1.58, redis: 0.02, k6: 9 };
  // 1.8 cores for 100 images a second: 18 ms each, 18,000 s for a million, 5 hours.
  expect(coreHoursPerMillion({ servedPerSecond: 50, cpuCores }, 2)).toBeCloseTo(5);
});

describe('recoverySeconds', () => {
  const refused = sent({ beginMs: 2000, outcome: 'refused', tookMs: 5 });
  const after = [
    sent({ beginMs: 1000, tookMs: 20 }),
    refused,
    sent({ beginMs: 3000, tookMs: 1500 }),
    sent({ beginMs: 4000, tookMs: 30 }),
  ];

  it('ends with the last request that was refused or late', () => {
    expect(recoverySeconds(after, 500, 1000)).toBe(2.5);
    expect(recoverySeconds(after.slice(3), 500, 1000)).toBe(0);
  });

  it('never ends without a right response', () => {
    expect([[], [refused]].map((responses) => recoverySeconds(responses, 500, 1000))).toEqual([
      Infinity,
      Infinity,
    ]);
  });
});
