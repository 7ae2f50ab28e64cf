/** What pictures of the largest size cost the gateway: time beside the inference, and memory when many come at once. */
import { createAccount, unlimited } from '../lib/gateway.mjs';
import { memoryOf, needProc } from '../lib/process.mjs';
import { figure, range } from '../lib/report.mjs';
import { latencies, spread } from '../lib/stats.mjs';
import { applyLoad } from './load.mjs';
import { headersOf, withGateway } from './small.mjs';
import { applyWave } from './wave.mjs';

const MIB = 2 ** 20;

/** That share a wave: one alone may hold half of the bytes that a gateway takes at once. */
const ACCOUNTS = 4;

/** MiB: three quarters of what its container may take (deploy/kubernetes/base/gateway), so that the rest is left for more. */
const PEAK_BAR = 768;

/** @type {import('../lib/types').Measurement} */
export const largeImages = {
  name: 'gateway/large-images',
  answers: 'What do pictures of 5 MB cost the gateway, one at a time and 64 at once?',
  parameters: { rounds: 3, seconds: 6, atOnce: 64, waves: 5, standInMs: 20 },

  async run({ rounds, seconds, atOnce, waves, standInMs }, log) {
    needProc();
    const body = largeBody();
    return withGateway({ standInMs }, async ({ gateway, redis, apiKey }) => {
      const request = { path: '/detect', body };
      const own = { url: gateway.url, headers: headersOf(apiKey) };
      const alone = { ...request, ...own, connections: 1, seconds, minusInference: true };
      await applyLoad({ ...alone, seconds: 2 });
      const taken = [];
      for (let round = 0; round < rounds; round++) {
        const { statuses, requests, milliseconds } = await applyLoad(alone);
        if (statuses[200] !== requests) throw new Error(`Not all answered 200: ${JSON.stringify(statuses)}`);
        taken.push(latencies([...milliseconds]));
      }
      const p50Ms = spread(taken.map((one) => one.p50Ms));
      const p95Ms = spread(taken.map((one) => one.p95Ms));
      log(`one at a time: p50 ${range(p50Ms)} ms, p95 ${range(p95Ms)} ms`);
      const headers = [];
      for (let i = 0; i < ACCOUNTS; i++)
        headers.push(headersOf((await createAccount(redis.url, { overrides: unlimited })).apiKey));
      const before = memoryOf(gateway.pid);
      const seen = [];
      for (let wave = 0; wave < waves; wave++) {
        const all = { ...request, urls: [gateway.url], headers, requests: atOnce, repeat: true };
        const { statuses, seconds: took } = await applyWave(all);
        if (statuses[200] !== atOnce)
          throw new Error(`Not all were answered 200 in the end: ${JSON.stringify(statuses)}`);
        seen.push({ statuses, seconds: took, ...memoryOf(gateway.pid) });
        log(
          `wave ${wave + 1}: ${JSON.stringify(statuses)}, peak ${figure(Math.round(seen[wave].peakMiB))} MiB, ${figure(took)} s`,
        );
      }
      return {
        bars: [
          {
            what: 'Added to a picture of 5 MB, p50',
            value: p50Ms.median,
            unit: 'ms',
            bar: 25,
            better: 'lower',
          },
          {
            what: `Highest memory of the gateway, ${atOnce} pictures of 5 MB at once`,
            value: seen[seen.length - 1].peakMiB,
            unit: 'MiB',
            bar: PEAK_BAR,
            better: 'lower',
          },
        ],
        figures: {
          bodyMiB: body.length / MIB,
          requests: taken.map((one) => one.requests),
          p50Ms,
          p95Ms,
          before,
          waves: seen,
          atOnce,
        },
      };
    });
  },

  report({ bodyMiB, p50Ms, p95Ms, requests, before, waves, atOnce }) {
    return [
      {
        title: 'One at a time',
        columns: ['Added, p50, ms', 'Added, p95, ms', 'Requests'],
        rows: [[range(p50Ms), range(p95Ms), requests.join(', ')]],
        remark: `The whole time of the answer as the client saw it, sending its ${figure(bodyMiB)} MiB included, less what the stand-in for the inference tier took from the last byte of the picture. Median of the rounds (lowest to highest).`,
      },
      {
        title: `${atOnce} at once`,
        columns: ['Wave', 'RSS peak so far, MiB', 'RSS after, MiB', 'Seconds', 'Answers, all attempts'],
        rows: [
          ['before', Math.round(before.peakMiB), Math.round(before.rssMiB), '', ''],
          ...waves.map((/** @type {any} */ wave, /** @type {number} */ i) => [
            i + 1,
            Math.round(wave.peakMiB),
            Math.round(wave.rssMiB),
            figure(wave.seconds),
            Object.entries(wave.statuses)
              .map(([status, count]) => `${status}: ${count}`)
              .join(', '),
          ]),
        ],
        remark:
          'Each wave begins all its requests at the same moment, by several accounts, and repeats what is refused with 429 or 503 after its Retry-After, until all have succeeded. Memory is that of the gateway process.',
      },
    ];
  },
};

/** The largest picture there may be: bytes without a pattern behind the first ones of a JPEG. */
function largeBody() {
  const picture = Buffer.alloc(5 * MIB);
  let state = 1;
  for (let i = 0; i < picture.length; i += 4) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    picture.writeUInt32LE(state, i);
  }
  Buffer.from([0xff, 0xd8, 0xff, 0xe0]).copy(picture);
  return Buffer.from(JSON.stringify({ image: `data:image/jpeg;base64,${picture.toString('base64')}` }));
}
