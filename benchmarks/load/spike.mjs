/** Measures how the service sheds a sudden surge, and how long it takes to recover. */
import { atMost } from '../lib/figures.mjs';
import { figure } from '../lib/report.mjs';
import { latencies } from '../lib/stats.mjs';
import { p95TargetsMs } from '../lib/targets.mjs';
import { byOperation, countBy, recoverySeconds, resourceFigures, timeline } from './analysis.mjs';
import { countFailures, failureFigure, latencyTable, resourceTable, withoutLate } from './tables.mjs';
import { applyMix, saturation, withWorld } from './world.mjs';

const PHASES = ['before', 'surge', 'after'];
/** The tier holds 256 images at most: a machine with 50 responses a second works them off in 5 s. */
const RECOVERY_SECONDS = 5;

/** @type {import('../lib/types').Measurement} */
export const spike = {
  name: 'load/spike',
  question:
    'A surge of five times the maximum throughput: what is refused, how soon, and when has the service recovered?',
  conditions: { factor: 5, idlePart: 0.1, beforeSeconds: 8, surgeSeconds: 10, afterSeconds: 30 },
  quick: { beforeSeconds: 2, surgeSeconds: 3, afterSeconds: 8 },

  async run({ factor, idlePart, beforeSeconds, surgeSeconds, afterSeconds }, log) {
    return withWorld({}, async (world) => {
      const most = (await saturation(world, { detect: 1 }, 6)).perSecond;
      const [idle, high] = [idlePart * most, factor * most];
      log(`${figure(idle)} requests a second, then ${figure(high)}`);
      const seconds = [beforeSeconds, surgeSeconds, afterSeconds];
      const phases = PHASES.map((name, i) => ({
        name,
        mix: { detect: 1 },
        perSecond: name === 'surge' ? high : idle,
        seconds: seconds[i],
        startSeconds: seconds.slice(0, i).reduce((a, b) => a + b, 0),
      }));
      return evaluate(await applyMix(world, phases), { idle, high, surgeSeconds });
    });
  },

  summarize(raw, { surgeSeconds }) {
    const { idle, high, rows, refusals, retryAfter, unsent, recovery, line } = raw;
    const unsentPercent = (100 * unsent) / (high * surgeSeconds);
    const refusalTimes = 'Refusals in the surge, p95 of their latency';
    return {
      figures: [
        failureFigure(raw.failures),
        // With fewer requests, the surge would be smaller than stated.
        atMost('Requests of the surge that k6 could not send', unsentPercent, '%', 1),
        atMost('Recovery after the surge', recovery, 's', RECOVERY_SECONDS),
        ...(refusals ? [atMost(refusalTimes, refusals.p95Ms, 'ms', p95TargetsMs.detect)] : []),
      ],
      tables: [
        latencyTable(
          rows,
          'Responses by phase',
          `${figure(idle)} requests a second before and after, ${figure(high)} in the surge, of which k6 could not send ${unsent}. Times are those of right responses.`,
        ),
        {
          title: 'Refusals and recovery',
          columns: 'Figure | Measured',
          rows: [
            [
              'Latency of refusals, p50 and p95, ms',
              refusals ? `${figure(refusals.p50Ms)}, ${figure(refusals.p95Ms)}` : 'none',
            ],
            [
              'Retry-After, seconds (how often)',
              Object.entries(retryAfter)
                .map(([seconds, count]) => `${seconds} (${count})`)
                .join(', ') || '–',
            ],
            [
              'Seconds from the end of the surge to the start of the last request that was refused or late',
              figure(recovery),
            ],
          ],
        },
        resourceTable(raw.resources, 'Processes, during the surge'),
      ],
      charts: [
        {
          file: 'timeline',
          title: 'A surge: served and refused in each second',
          description: 'The service keeps serving at its highest throughput and refuses the other requests.',
          x: { label: 'Seconds' },
          y: { label: 'Per second' },
          series: [
            { name: 'served', points: line.map((moment) => [moment.second, moment.ok]) },
            { name: 'refused', points: line.map((moment) => [moment.second, moment.refused]) },
          ],
        },
        {
          file: 'times',
          title: 'A surge: 95th percentile of right responses in each second',
          description: 'By the second in which the response came.',
          x: { label: 'Seconds' },
          y: { label: 'Milliseconds' },
          series: [
            {
              name: 'p95',
              points: line.map((moment) => [moment.second, moment.p95Ms && Number(moment.p95Ms.toFixed(1))]),
            },
          ],
          lines: [{ axis: 'y', value: p95TargetsMs.detect, label: 'target of p95' }],
        },
      ],
    };
  },
};

function evaluate({ responses, retryAfter, dropped, cutOff, samples }, { idle, high, surgeSeconds }) {
  const phase = (name) => responses.filter(({ scenario }) => scenario === name);
  const surge = phase('surge');
  if (surge.length === 0) throw new Error('No request of the surge was sent.');
  const surgeEndMs = surge[0].beginMs + 1000 * surgeSeconds;
  const refused = surge.filter(({ outcome }) => outcome === 'refused').map(({ tookMs }) => tookMs);
  // The service works off the queue of the surge in the last phase. The recovery measures that.
  const carried = [...phase('before'), ...withoutLate([...surge, ...phase('after')])];
  return {
    idle,
    high,
    failures: countFailures({ responses: carried, cutOff }),
    rows: PHASES.flatMap((name) => byOperation(phase(name), () => name)),
    refusals: refused.length > 0 ? latencies(refused) : null,
    retryAfter: countBy(retryAfter, ({ seconds }) => String(seconds)),
    unsent: dropped.surge?.length ?? 0,
    recovery: recoverySeconds(phase('after'), surgeEndMs, p95TargetsMs.detect),
    resources: resourceFigures(samples.filter(({ atMs }) => atMs >= surge[0].beginMs && atMs <= surgeEndMs)),
    line: timeline(responses),
  };
}
