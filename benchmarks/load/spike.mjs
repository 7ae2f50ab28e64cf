/** A surge out of nothing: what is refused, how soon, and how long until all is well again. */
import { figure } from '../lib/report.mjs';
import { latencies } from '../lib/stats.mjs';
import { p95TargetsMs } from '../lib/targets.mjs';
import { countBy, recoverySeconds, resourceFigures } from './figures.mjs';
import { byOperation, latencyTable, resourceTable, timeline, withoutLate, wrongBar } from './parts.mjs';
import { applyScript, saturation, withWorld } from './world.mjs';

const PHASES = ['before', 'surge', 'after'];

/** The tier holds 256 images at most: a machine that answers 50 a second has worked them off in 5 s. */
const RECOVERY_BAR_SECONDS = 5;

/** Of the surge, in per cent: if k6 cannot send it, the surge is smaller than it is said to be. */
const UNSENT_BAR = 1;

/** @type {import('../lib/types').Measurement} */
export const spike = {
  name: 'load/spike',
  answers:
    'Five times the most that is answered, out of nothing: what is refused, how soon, how long until all is well?',
  parameters: { factor: 5, idlePart: 0.1, beforeSeconds: 8, surgeSeconds: 10, afterSeconds: 30 },
  quick: { beforeSeconds: 3, surgeSeconds: 4, afterSeconds: 10 },

  async run({ factor, idlePart, beforeSeconds, surgeSeconds, afterSeconds }, log) {
    return withWorld({}, async (world) => {
      const most = (await saturation(world, { detect: 1 }, 6)).perSecond;
      const [idle, high] = [idlePart * most, factor * most];
      log(`${figure(idle)} requests a second, then ${figure(high)}`);
      const lasts = [beforeSeconds, surgeSeconds, afterSeconds];
      const steps = PHASES.map((name, i) => ({
        name,
        perSecond: name === 'surge' ? high : idle,
        seconds: lasts[i],
        startSeconds: lasts.slice(0, i).reduce((a, b) => a + b, 0),
      }));
      const run = await applyScript(world, 'spike.ts', { mix: { detect: 1 }, steps });
      return outcomeOf(run, { idle, high, surgeSeconds });
    });
  },

  report({ idle, high, rows, refusals, retryAfter, unsent, recovery, resources }) {
    return [
      {
        ...latencyTable(rows, 'Answers by phase'),
        remark: `${figure(idle)} requests a second before and after, ${figure(high)} in the surge, of which k6 could not send ${unsent}. Times are those of right answers.`,
      },
      {
        title: 'Refusals and recovery',
        columns: ['What', 'Seen'],
        rows: [
          [
            'Refused, p50 and p95 of the time to say so, ms',
            refusals ? `${figure(refusals.p50Ms)}, ${figure(refusals.p95Ms)}` : 'none',
          ],
          [
            'Retry-After, seconds (how often)',
            Object.entries(retryAfter)
              .map(([seconds, count]) => `${seconds} (${count})`)
              .join(', ') || '–',
          ],
          ['Seconds after the surge until the last request began that was refused or late', figure(recovery)],
        ],
      },
      { ...resourceTable(resources), title: 'Processes, during the surge' },
    ];
  },

  charts: ({ line }) => [
    {
      file: 'timeline',
      title: 'A surge: answered and refused in each second',
      description: 'Answers per second stay as many as the machine can give while the rest is refused.',
      x: { label: 'Seconds' },
      y: { label: 'Per second' },
      series: ['ok', 'refused'].map((key) => ({
        name: key === 'ok' ? 'answered' : key,
        points: line.map((/** @type {any} */ one) => [one.second, one[key]]),
      })),
    },
    {
      file: 'times',
      title: 'A surge: 95th percentile of right answers in each second',
      description: 'By the second in which the answer came.',
      x: { label: 'Seconds' },
      y: { label: 'Milliseconds' },
      series: [
        { name: 'p95', points: line.map((/** @type {any} */ one) => [one.second, one.p95Ms ?? Number.NaN]) },
      ],
      lines: [{ axis: 'y', value: p95TargetsMs.detect, label: 'target of p95' }],
    },
  ],
};

/**
 * @param {Awaited<ReturnType<typeof applyScript>>} run
 * @param {{ idle: number, high: number, surgeSeconds: number }} load
 */
function outcomeOf({ answers, retryAfter, dropped, unanswered, samples }, { idle, high, surgeSeconds }) {
  const phase = (/** @type {string} */ name) => answers.filter(({ scenario }) => scenario === name);
  const surge = phase('surge');
  if (surge.length === 0) throw new Error('Nothing of the surge was sent.');
  const surgeEndMs = surge[0].beginMs + 1000 * surgeSeconds;
  const refused = surge.filter(({ outcome }) => outcome === 'refused').map(({ tookMs }) => tookMs);
  const unsent = dropped.surge?.length ?? 0;
  // After the surge its queue is worked off, which has a bar of its own.
  const carried = [...phase('before'), ...withoutLate([...surge, ...phase('after')])];
  const recovery = recoverySeconds(phase('after'), surgeEndMs, p95TargetsMs.detect);
  return {
    bars: [
      wrongBar({ answers: carried, unanswered }),
      {
        what: 'Requests of the surge that k6 could not send',
        value: (100 * unsent) / (high * surgeSeconds),
        unit: '%',
        bar: UNSENT_BAR,
        better: /** @type {const} */ ('lower'),
      },
      {
        what: 'Recovery after the surge',
        value: recovery,
        unit: 's',
        bar: RECOVERY_BAR_SECONDS,
        better: /** @type {const} */ ('lower'),
      },
      // Who is refused should know by when an answer would have been there.
      ...(refused.length === 0
        ? []
        : [
            {
              what: 'Refusals in the surge, p95 of the time to say so',
              value: latencies(refused).p95Ms,
              unit: 'ms',
              bar: p95TargetsMs.detect,
              better: /** @type {const} */ ('lower'),
            },
          ]),
    ],
    figures: {
      idle,
      high,
      rows: PHASES.flatMap((name) => byOperation(phase(name), () => name)),
      refusals: refused.length > 0 ? latencies(refused) : null,
      retryAfter: countBy(retryAfter, ({ seconds }) => String(seconds)),
      unsent,
      recovery,
      resources: resourceFigures(
        samples.filter(({ atMs }) => atMs >= surge[0].beginMs && atMs <= surgeEndMs),
      ),
      line: timeline(answers),
    },
  };
}
