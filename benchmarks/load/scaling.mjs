/**
 * What a second worker brings, and how far the whole way stays behind the work that cannot be avoided: the same
 * portraits through k6, gateway and tier with one worker and with all, in turns, and through decoding and session.run
 * alone on as many threads. Beside it, what was measured of the peers on the same machine.
 */
import { availableParallelism } from 'node:os';
import { figure, range } from '../lib/report.mjs';
import { spread } from '../lib/stats.mjs';
import { operationsOf, record } from '../speed/http-path.mjs';
import { withRaw } from '../speed/raw.mjs';
import { resourceFigures } from './figures.mjs';
import { list } from './parts.mjs';
import { portraits } from './pictures.mjs';
import { readRelated } from './related.mjs';
import { saturation, withWorld } from './world.mjs';

/** @type {import('../lib/types').Measurement} */
export const scaling = {
  name: 'load/scaling',
  answers:
    'What does a second worker bring, and how does the whole way compare with the raw limit and with the peers?',
  parameters: { rounds: 2, seconds: 10 },
  quick: { rounds: 1, seconds: 4 },

  async run({ rounds, seconds }, log) {
    const most = availableParallelism();
    const work = await detectionWork(log);
    /** @type {Record<number, Taken[]>} */
    const taken = {};
    for (let round = 0; round < rounds; round++) {
      // One after the other and back, so that a machine that slows down or recovers does not favour either.
      const order = most === 1 ? [1] : round % 2 === 0 ? [1, 2] : [2, 1];
      for (const workers of order) {
        const one = await take({ workers, seconds, work });
        taken[workers] = [...(taken[workers] ?? []), one];
        log(
          `${workers} workers: ${figure(one.perSecond)}/s of ${figure(one.raw)}/s raw; cores: ${list(one.cpuCores)}`,
        );
      }
    }
    const rows = Object.entries(taken).map(([workers, all]) => summary(Number(workers), all));
    const gain = taken[2] && spread(taken[2].map(({ perSecond }, i) => perSecond / taken[1][i].perSecond));
    return { bars: [], figures: { cores: most, rows, gain, related: readRelated() } };
  },

  report({ cores, rows, gain, related }) {
    return [
      {
        title: 'Detections a second by clients that ask again at once, 640x480 portraits',
        columns: ['Workers', 'Whole way', 'Raw, as many threads', 'Whole way / raw', 'CPU, cores'],
        rows: rows.map((/** @type {any} */ row) => [
          row.workers,
          range(row.perSecond),
          range(row.raw),
          `${figure(100 * row.ratio.median)} %`,
          list(row.cpuCores),
        ]),
        remark: `${gain ? `Two workers answer **${figure(gain.median)}** times as much as one (${figure(gain.min)} to ${figure(gain.max)}, round by round). ` : ''}The machine has ${cores} cores, and k6 and the gateway take what the last column says of them: with two workers on two cores that is taken from the workers, with one it is not. Raw is decoding and the same session.run calls on the same portraits in plain threads, without HTTP, gateway, Redis or a client.`,
      },
      {
        title: 'On the same machine and the same product: from other measurements',
        columns: ['Measurement', 'What', 'Seen', 'Commit'],
        rows:
          related.length > 0
            ? related
            : [['–', 'not measured on this machine with this state of the product', '–', '–']],
        remark:
          'Taken over where machine and state of gateway and inference are those of this result; `npm run load -- --full` measures them first.',
      },
    ];
  },
};

/** @typedef {{ perSecond: number, raw: number, cpuCores: Record<string, number> }} Taken */

/** What the tier runs for each portrait. @param {(line: string) => void} log */
async function detectionWork(log) {
  const pictures = (await portraits()).map(({ image }) => Buffer.from(image.split(',')[1], 'base64'));
  const [{ work }] = await record(operationsOf(pictures).slice(0, 1), log);
  return work;
}

/** @param {{ workers: number, seconds: number, work: import('../speed/raw-worker.mjs').Work[] }} options @returns {Promise<Taken>} */
async function take({ workers, seconds, work }) {
  const { device, ...whole } = await withWorld({ workers }, async (world) => {
    const { perSecond, samples, from, to } = await saturation(world, { detect: 1 }, seconds);
    const within = samples.filter(({ atMs }) => atMs >= from && atMs <= to);
    return { perSecond, cpuCores: resourceFigures(within).cpuCores, device: world.device };
  });
  const requests = Math.ceil(whole.perSecond * seconds);
  const rawSeconds = await withRaw({ work, device, threads: workers }, (run) => run(requests));
  return { ...whole, raw: requests / rawSeconds };
}

/** @param {number} workers @param {readonly Taken[]} all */
function summary(workers, all) {
  return {
    workers,
    perSecond: spread(all.map(({ perSecond }) => perSecond)),
    raw: spread(all.map(({ raw }) => raw)),
    ratio: spread(all.map(({ perSecond, raw }) => perSecond / raw)),
    cpuCores: all[0].cpuCores,
  };
}
