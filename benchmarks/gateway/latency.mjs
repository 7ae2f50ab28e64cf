/** What the gateway adds to an answer at a steady rate of small requests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../lib/gateway.mjs';
import { findK6 } from '../lib/k6.mjs';
import { BENCHMARKS } from '../lib/paths.mjs';
import { figure, range } from '../lib/report.mjs';
import { latencies, spread } from '../lib/stats.mjs';
import { applyLoad } from './load.mjs';
import { headersOf, smallBody, startServer, withGateway } from './small.mjs';

/** @typedef {ReturnType<typeof latencies>} Latencies */

/** @type {import('../lib/types').Measurement} */
export const addedLatency = {
  name: 'gateway/latency',
  answers: 'What does the gateway add to the time of an answer at 200 small requests a second?',
  parameters: { perSecond: 200, seconds: 20, rounds: 3, standInMs: 10, warmUpSeconds: 8 },

  async run({ perSecond, seconds, rounds, standInMs, warmUpSeconds }, log) {
    const k6 = await findK6();
    const body = await smallBody();
    return withGateway({ standInMs }, async ({ gateway, redis, inferenceUrl, apiKey }) => {
      const proxy = await startServer('bare-proxy', { REDIS_URL: redis.url, INFERENCE_URL: inferenceUrl });
      const load = { path: '/detect', headers: headersOf(apiKey), body };
      // As fast as they go: what is measured is a service that has run for a while, not one that still compiles.
      const warmUp = { ...load, connections: 32, seconds: warmUpSeconds };
      const steady = { ...load, perSecond, seconds };
      /** @type {Record<string, Latencies[]>} */
      const taken = { k6: [], sockets: [], proxy: [] };
      try {
        for (const { url } of [gateway, proxy]) await applyLoad({ ...warmUp, url });
        for (let round = 0; round < rounds; round++) {
          taken.k6.push(await withK6(k6, { ...steady, url: gateway.url }));
          taken.sockets.push(await withSockets({ ...steady, url: gateway.url }));
          taken.proxy.push(await withSockets({ ...steady, url: proxy.url }));
          const texts = Object.entries(taken).map(([name, all]) => {
            const { p50Ms, p99Ms } = /** @type {Latencies} */ (all[round]);
            return `${name}: p50 ${figure(p50Ms)} ms, p99 ${figure(p99Ms)} ms`;
          });
          log(texts.join('; '));
        }
      } finally {
        await proxy.stop();
      }
      const figures = Object.fromEntries(Object.entries(taken).map(([name, all]) => [name, summary(all)]));
      /** @param {string} what @param {number} value @param {number} bar @returns {import('../lib/types').Bar} */
      const bar = (what, value, bar) => ({ what, value, unit: 'ms', bar, better: 'lower' });
      return {
        bars: [
          bar(`Added by the gateway at ${perSecond}/s, p50`, figures.k6.p50Ms.median, 1),
          bar(`Added by the gateway at ${perSecond}/s, p99`, figures.k6.p99Ms.median, 5),
        ],
        figures,
      };
    });
  },

  report(figures) {
    /** @param {string} title @param {string} name */
    const row = (title, name) => [
      title,
      ...['p50Ms', 'p95Ms', 'p99Ms', 'maxMs'].map((key) => range(figures[name][key])),
      figures[name].requests,
    ];
    return [
      {
        title: 'Milliseconds added',
        columns: ['Load', 'p50', 'p95', 'p99', 'Highest', 'Requests'],
        rows: [
          row('k6, constant arrival rate', 'k6'),
          row('plain sockets', 'sockets'),
          row('plain sockets, bare proxy in place of the gateway', 'proxy'),
        ],
        remark:
          "Each answer's time as the client saw it, less what the stand-in for the inference tier took for that very request: it answers one face after a known wait and says in the answer how long it took, from the last byte of the picture. What is left is the gateway, Redis, and every hop between the four processes. The real tier would need both cores of a small machine, and its noise would be the figure. The load shares the machine: k6 takes more of it than plain sockets do. The bare proxy makes the same hops, two of them to Redis, and does nothing on its way: what the machine's hops cost. Median of the rounds (lowest to highest).",
      },
    ];
  },
};

/** @param {Latencies[]} rounds */
function summary(rounds) {
  /** @param {keyof Latencies} name */
  const of = (name) => spread(rounds.map((round) => round[name]));
  const requests = rounds.reduce((all, round) => all + round.requests, 0);
  return { p50Ms: of('p50Ms'), p95Ms: of('p95Ms'), p99Ms: of('p99Ms'), maxMs: of('maxMs'), requests };
}

/**
 * @param {Omit<import('./load.mjs').Load, 'connections'>} load
 * @returns {Promise<Latencies>}
 */
async function withSockets(load) {
  const loaded = await applyLoad({ ...load, connections: 64, minusInference: true });
  if (loaded.statuses[200] !== loaded.requests) {
    throw new Error(`Not all answered 200: ${JSON.stringify(loaded.statuses)}`);
  }
  return latencies([...loaded.milliseconds]);
}

/**
 * @param {string} k6
 * @param {{ url: string, headers: Record<string, string>, body: Uint8Array, perSecond: number, seconds: number }} load
 * @returns {Promise<Latencies>}
 */
async function withK6(k6, { url, headers, body, perSecond, seconds }) {
  const folder = temporaryFolder();
  const [bodyFile, summaryFile] = ['body.json', 'summary.json'].map((name) => join(folder, name));
  writeFileSync(bodyFile, body);
  const child = spawn(k6, ['run', '--quiet', join(BENCHMARKS, 'scenarios', 'added-latency.ts')], {
    env: {
      ...process.env,
      K6_NO_USAGE_REPORT: 'true',
      GATEWAY_URL: url,
      AUTHORIZATION: headers.Authorization,
      BODY_FILE: bodyFile,
      SUMMARY_FILE: summaryFile,
      PER_SECOND: String(perSecond),
      SECONDS: String(seconds),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`k6 ended with ${code}`);
  const { metrics } = JSON.parse(readFileSync(summaryFile, 'utf8'));
  const { values } = metrics.added_ms;
  return {
    requests: metrics.iterations.values.count,
    meanMs: values.avg,
    minMs: values.min,
    p50Ms: values.med,
    p95Ms: values['p(95)'],
    p99Ms: values['p(99)'],
    maxMs: values.max,
  };
}
