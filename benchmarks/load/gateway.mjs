/** The gateway alone, with a stand-in for the inference tier: the latency it adds, and its throughput. */
import sharp from 'sharp';
import { cpuSecondsOf } from '../../gateway/harness/index.mjs';
import { medianAtLeast, medianAtMost } from '../lib/figures.mjs';
import { dataUri } from '../lib/material.mjs';
import { figure, range } from '../lib/report.mjs';
import { latencies, spread, sum } from '../lib/stats.mjs';
import { countBy, resourceFigures, secondsOf } from './analysis.mjs';
import { startServer } from './servers.mjs';
import { applyMix, withGateway } from './world.mjs';

const TIMES = ['p50Ms', 'p95Ms', 'p99Ms', 'maxMs'];
const SERVER_FIGURES = ['perSecond', 'perCpuSecond', 'cores', 'loadCores', 'p50Ms'];
const right = { selector: 'data.faceCount', count: 1 };

/** The request takes less than a kilobyte: only its path is timed. @param {import('./images.mjs').Bodies} bodies */
export async function smallRequest(bodies) {
  const background = { r: 120, g: 90, b: 70 };
  const image = await sharp({ create: { width: 32, height: 32, channels: 3, background } })
    .jpeg({ quality: 60 })
    .toBuffer();
  return { detect: [bodies.json('/detect', { image: dataUri(image) }, right)] };
}

export const detect = (load) => [{ name: 'detect', mix: { detect: 1 }, ...load }];

/** Times of right responses. @throws Error for any other response */
export function timesOf({ responses }) {
  const outcomes = countBy(responses, ({ outcome, code }) => code || outcome);
  if (outcomes.ok !== responses.length)
    throw new Error(`Not all requests succeeded: ${JSON.stringify(outcomes)}`);
  return responses.map(({ tookMs }) => tookMs);
}

const spreads = (rounds, keys) =>
  Object.fromEntries(keys.map((key) => [key, spread(rounds.map((round) => round[key]))]));

/** @type {import('../lib/types').Measurement} */
export const gatewayLatency = {
  name: 'load/gateway-latency',
  question: 'What does the gateway add to the latency at 200 small requests a second?',
  conditions: { perSecond: 200, seconds: 20, rounds: 3, standInMs: 10, warmUpSeconds: 8 },
  quick: { seconds: 3, rounds: 1, warmUpSeconds: 3 },

  async run({ perSecond, seconds, rounds, standInMs, warmUpSeconds }, log) {
    return withGateway({ standInMs }, async (world) => {
      const addresses = { REDIS_URL: world.redisUrl, INFERENCE_URL: world.inferenceUrl };
      const proxy = await startServer('bare-proxy', addresses);
      try {
        const prepared = await smallRequest(world.bodies);
        const loadOn = (url, load) =>
          applyMix({ ...world, url, prepared, minusInference: true }, detect(load));
        const urls = { gateway: world.url, proxy: proxy.url };
        // A cold server is still compiling.
        for (const url of Object.values(urls)) await loadOn(url, { clients: 32, seconds: warmUpSeconds });
        const taken = { gateway: [], proxy: [] };
        for (let round = 0; round < rounds; round++) {
          for (const [name, url] of Object.entries(urls)) {
            const times = latencies(timesOf(await loadOn(url, { perSecond, seconds })));
            taken[name].push(times);
            log(`${name}: p50 ${figure(times.p50Ms)} ms, p99 ${figure(times.p99Ms)} ms`);
          }
        }
        const summary = (all) => ({
          ...spreads(all, TIMES),
          requests: sum(all.map((times) => times.requests)),
        });
        const ratioOf = (key) => spread(taken.gateway.map((times, i) => times[key] / taken.proxy[i][key]));
        return {
          gateway: summary(taken.gateway),
          proxy: summary(taken.proxy),
          ratio: Object.fromEntries(TIMES.map((key) => [key, ratioOf(key)])),
        };
      } finally {
        await proxy.stop();
      }
    });
  },

  summarize({ gateway, proxy, ratio }, { perSecond }) {
    const row = (name, summarized) => [
      name,
      ...TIMES.map((key) => range(summarized[key])),
      summarized.requests ?? '',
    ];
    return {
      figures: [
        medianAtMost(`Added by the gateway at ${perSecond}/s, p50`, gateway.p50Ms, 'ms', 1),
        medianAtMost(`Added by the gateway at ${perSecond}/s, p99`, gateway.p99Ms, 'ms', 5),
        medianAtMost('The same against a bare proxy with the same hops, p50', ratio.p50Ms, 'x', 2),
        medianAtMost('The same against a bare proxy with the same hops, p99', ratio.p99Ms, 'x', 3),
      ],
      tables: [
        {
          title: 'Milliseconds added',
          columns: 'Server | p50 | p95 | p99 | Highest | Requests',
          rows: [
            row('gateway', gateway),
            row('bare proxy, same hops', proxy),
            row('gateway / bare proxy', ratio),
          ],
          remark:
            'The latency that the client sees, without the time that the stand-in for the inference tier took for the same request, which its response states. The rest is the server, Redis, and every hop between the four processes. The bare proxy makes the same hops, two of them to Redis, and checks and counts nothing. k6, at a constant arrival rate, shares the machine. Alternating rounds, median (lowest to highest); ratios are taken round by round.',
        },
      ],
    };
  },
};

/** @type {import('../lib/types').Measurement} */
export const gatewayThroughput = {
  name: 'load/gateway-throughput',
  question: 'How many authenticated, limited and metered requests does one gateway process carry?',
  conditions: { rounds: 5, seconds: 6, connections: 48 },
  quick: { rounds: 1, seconds: 3 },

  async run({ rounds, seconds, connections }, log) {
    const bare = await startServer('bare-express');
    try {
      return await withGateway({ standInMs: 0 }, async (world) => {
        const prepared = await smallRequest(world.bodies);
        const measureOn = ({ url, pid }) =>
          drive({ ...world, prepared, url, pids: { server: pid } }, { connections, seconds });
        const servers = { gateway: { url: world.url, pid: world.gateway.pid }, bare };
        const taken = { gateway: [], bare: [] };
        // The first round of each warms the server up, so that its compilation counts in no result.
        for (let round = -1; round < rounds; round++) {
          for (const name of Object.keys(servers)) {
            const measured = await measureOn(servers[name]);
            if (round >= 0) taken[name].push(measured);
            log(
              `${name}: ${figure(measured.perSecond)} requests/s, ${figure(measured.perCpuSecond)} per CPU second`,
            );
          }
        }
        const ratioOf = (key) => spread(taken.gateway.map((figures, i) => figures[key] / taken.bare[i][key]));
        return {
          gateway: spreads(taken.gateway, SERVER_FIGURES),
          bare: spreads(taken.bare, SERVER_FIGURES),
          ratio: { perSecond: ratioOf('perSecond'), perCpuSecond: ratioOf('perCpuSecond') },
        };
      });
    } finally {
      await bare.stop();
    }
  },

  summarize({ gateway, bare, ratio }) {
    const row = (name, server) => [name, ...SERVER_FIGURES.map((key) => range(server[key]))];
    const ratios = [ratio.perSecond, ratio.perCpuSecond].map((spreadRatio) => `**${range(spreadRatio)}**`);
    const perCpuSecond = 'Small requests per CPU second of a gateway process';
    const againstBare = 'The same against bare Express 5 with the same body parser';
    return {
      figures: [
        medianAtLeast(perCpuSecond, gateway.perCpuSecond, '/s', 4000),
        medianAtLeast(againstBare, ratio.perCpuSecond, 'x', 0.5),
      ],
      tables: [
        {
          title: 'Small requests',
          columns: 'Server | Requests/s | Requests per CPU second | Cores | Cores of the load | p50, ms',
          rows: [
            row('gateway', gateway),
            row('bare Express 5, same body parser and response', bare),
            ['gateway / bare', ...ratios, '', '', ''],
          ],
          remark:
            'POST /detect with an image of less than a kilobyte, from k6. The gateway authenticates, limits and meters each request on a Redis that syncs every second, and calls a stand-in for the inference tier that responds at once. All of them share the machine, so requests/s are those of the whole machine, and CPU seconds those of the server alone with its garbage collection. Alternating rounds, median (lowest to highest); ratios are taken round by round.',
        },
      ],
    };
  },
};

/** Throughput of one server, and the processor time it takes. */
async function drive(world, { connections, seconds }) {
  const { server: pid } = world.pids;
  const before = cpuSecondsOf(pid);
  const run = await applyMix(world, detect({ clients: connections, seconds }));
  const spent = cpuSecondsOf(pid) - before;
  const times = timesOf(run);
  const lasted = secondsOf(run.responses);
  return {
    perSecond: times.length / lasted,
    perCpuSecond: times.length / spent,
    cores: spent / lasted,
    loadCores: resourceFigures(run.samples.slice(1)).cpuCores.k6 ?? Number.NaN,
    p50Ms: latencies(times).p50Ms,
  };
}
