/**
 * The latency that one client sees on an idle machine, one request after the other: over the API, through a gateway with
 * keys, limits and Redis, images as JSON; and of the inference tier alone, which gets raw bytes at its own port.
 */
import { compareJob, detectJob, moderateJob, withoutObjects } from '../lib/client.mjs';
import { atMost } from '../lib/figures.mjs';
import { dataUri, selfies } from '../lib/material.mjs';
import { range } from '../lib/report.mjs';
import { latencies, spread, sum } from '../lib/stats.mjs';
import { applyMix, withWorld } from './world.mjs';

/** The API may take this much longer than the tier alone: the target of load/gateway-latency for p99. */
const GATEWAY_MS = 5;
const MOST_SECONDS = 600;
const SELFIES = ['002_A.jpg', '006_A.jpg'];

/** @type {import('../lib/types').Measurement} */
export const latency = {
  name: 'load/latency',
  question: 'How long does one 640x480 selfie take over the API, on an idle machine?',
  // A cold gateway takes several times the CPU time of a warm one.
  conditions: { requests: 200, rounds: 3, warmUp: 200 },
  quick: { requests: 10, rounds: 1, warmUp: 5 },

  async run({ requests, rounds, warmUp }, log) {
    const all = await selfies();
    const [first, second] = SELFIES.map((name) => all.find((selfie) => selfie.name.endsWith(name))?.bytes);
    if (!first || !second) throw new Error(`There is no selfie of ${SELFIES.join(' or ')}.`);
    return withWorld({}, async (world) => {
      const operations = [];
      for (const { name, at, prepared, target: targetMs } of operationsOf(world.bodies, first, second)) {
        const operationWorld = { ...world, prepared: { [name]: [prepared] } };
        const { responses } = await applyMix(
          { ...operationWorld, url: at === 'api' ? world.url : world.inferenceUrl },
          [
            {
              name: 'one',
              mix: { [name]: 1 },
              clients: 1,
              requests: warmUp + rounds * requests,
              seconds: MOST_SECONDS,
            },
          ],
        );
        const failed = responses.filter(({ outcome }) => outcome !== 'ok').length;
        if (failed > 0) throw new Error(`${failed} of ${responses.length} requests failed: ${name}.`);
        const taken = Array.from({ length: rounds }, (_, round) => {
          const from = warmUp + round * requests;
          return latencies(responses.slice(from, from + requests).map(({ tookMs }) => tookMs));
        });
        const at95 = spread(taken.map(({ p95Ms }) => p95Ms));
        operations.push({
          name,
          target: targetMs,
          p50Ms: spread(taken.map(({ p50Ms }) => p50Ms)),
          p95Ms: at95,
          p99Ms: spread(taken.map(({ p99Ms }) => p99Ms)),
          rounds: taken,
        });
        log(`${name}: p95 ${range(at95)} ms`);
      }
      return { operations };
    });
  },

  summarize: ({ operations }) => ({
    figures: operations.filter(({ target }) => target !== undefined).map(figureOf),
    tables: [
      {
        title: 'Milliseconds per request',
        columns: 'Operation | p50 | p95 | p99 | Highest | Requests',
        rows: operations.map(({ name, p50Ms, p95Ms, p99Ms, rounds }) => [
          name,
          range(p50Ms),
          range(p95Ms),
          range(p99Ms),
          Math.max(...rounds.map(({ maxMs }) => maxMs)),
          `${rounds.length} x ${rounds[0].requests}`,
        ]),
        remark:
          'Over the API: through a gateway with its Redis, images as JSON. Inference tier alone: raw bytes to its own port. Median of the rounds (lowest to highest), seen by the client on a keep-alive connection.',
      },
    ],
  }),
};

/** Every 200 counts: other measurements check the results. @param {import('./images.mjs').Bodies} bodies */
function operationsOf(bodies, first, second) {
  const [image, targetImage] = [dataUri(first), dataUri(second)];
  const api = (name, target, path, body) => ({
    name,
    at: 'api',
    target: target + GATEWAY_MS,
    prepared: bodies.json(path, body),
  });
  const tier = (name, job, target = /** @type {number | undefined} */ (undefined)) => ({
    name: `${name}, inference tier alone`,
    at: 'tier',
    target,
    prepared: bodies.job(job),
  });
  const compare = 'compare (two selfies)';
  return [
    api('detect', 40, '/detect', { image }),
    tier('detect', detectJob(first), 40),
    api(compare, 70, '/compare', { sourceImage: image, targetImage }),
    tier(compare, compareJob(first, second), 70),
    api('moderate', 25, '/moderate', { image }),
    tier('moderate', moderateJob(first), 25),
    tier('detect, all attributes', detectJob(first, 'all')),
    tier('moderate without objects', moderateJob(first, withoutObjects)),
  ];
}

const figureOf = ({ name, target, p95Ms, rounds }) =>
  atMost(`${name}, p95, idle machine`, p95Ms.median, 'ms', target, {
    n: sum(rounds.map(({ requests }) => requests)),
    items: `requests in ${rounds.length} rounds`,
    range: [p95Ms.min, p95Ms.max],
  });
