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

/** The target of the API in addition to the tier's: what load/gateway-latency allows its 99th percentile. */
const GATEWAY_MS = 5;
const MOST_SECONDS = 600;

/** @type {import('../lib/types').Measurement} */
export const latency = {
  name: 'load/latency',
  question: 'How long does one 640x480 selfie take over the API, on an idle machine?',
  // A gateway that has just started takes several times the processor time of a warm one.
  conditions: { requests: 200, rounds: 3, warmUp: 200, source: '002_A.jpg', target: '006_A.jpg' },
  quick: { requests: 10, rounds: 1, warmUp: 5 },

  async run({ requests, rounds, warmUp, source, target }, log) {
    const all = await selfies();
    const [one, two] = [source, target].map(
      (name) => all.find((selfie) => selfie.name.endsWith(name))?.bytes,
    );
    if (!one || !two) throw new Error(`There is no selfie of ${source} or ${target}.`);
    return withWorld({}, async (world) => {
      const operations = [];
      for (const { name, at, prepared, target: targetMs } of operationsOf(world.bodies, one, two)) {
        const own = { ...world, url: at, prepared: { [name]: [prepared] } };
        const { responses } = await applyMix({ ...own, url: at === 'api' ? world.url : world.inferenceUrl }, [
          {
            name: 'one',
            mix: { [name]: 1 },
            clients: 1,
            requests: warmUp + rounds * requests,
            seconds: MOST_SECONDS,
          },
        ]);
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

/** @param {import('./images.mjs').Bodies} bodies @param {Buffer} one @param {Buffer} two */
function operationsOf(bodies, one, two) {
  const [image, targetImage] = [dataUri(one), dataUri(two)];
  const alone = 'inference tier alone';
  const api = (name, target, path, body, right) => ({
    name,
    at: 'api',
    target: target + GATEWAY_MS,
    prepared: bodies.json(path, body, right),
  });
  const tier = (name, job, right, target) => ({
    name: `${name}, ${alone}`,
    at: 'tier',
    prepared: bodies.job(job, right),
    target,
  });
  const face = { selector: 'faces.#', count: 1 };
  const two640 = 'compare (two selfies)';
  return [
    api('detect', 40, '/detect', { image }, { selector: 'data.faceCount', count: 1 }),
    tier('detect', detectJob(one), face, 40),
    api(
      two640,
      70,
      '/compare',
      { sourceImage: image, targetImage },
      { selector: 'data.matchedFaces.#', count: 0 },
    ),
    tier(two640, compareJob(one, two), { selector: 'targets.#', count: 1 }, 70),
    api('moderate', 25, '/moderate', { image }, { selector: 'data.detectedElements.#', count: 0 }),
    tier('moderate', moderateJob(one), { selector: 'elements.#(confidence>0.5)#|#', count: 0 }, 25),
    tier('detect, all attributes', detectJob(one, 'all'), face),
    tier('moderate without objects', moderateJob(one, withoutObjects), {
      selector: 'elements.#(confidence>0.5)#|#',
      count: 0,
    }),
  ];
}

const figureOf = ({ name, target, p95Ms, rounds }) =>
  atMost(`${name}, p95, idle machine`, p95Ms.median, 'ms', target, {
    n: sum(rounds.map(({ requests }) => requests)),
    of: `requests in ${rounds.length} rounds`,
    range: [p95Ms.min, p95Ms.max],
  });
