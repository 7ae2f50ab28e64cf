/** How many small requests a second of processor time carries, beside an Express app that does nothing with them. */
import { cpuSecondsOf, needProc } from '../lib/process.mjs';
import { figure, range } from '../lib/report.mjs';
import { spread } from '../lib/stats.mjs';
import { applyLoad } from './load.mjs';
import { headersOf, smallBody, startServer, withGateway } from './small.mjs';

/** @typedef {Awaited<ReturnType<typeof drive>>} Driven */

/** @type {import('../lib/types').Measurement} */
export const throughput = {
  name: 'gateway/throughput',
  answers: 'How many authenticated, limited and metered requests does one gateway process carry?',
  parameters: { rounds: 5, seconds: 6, connections: 48 },

  async run({ rounds, seconds, connections }, log) {
    needProc();
    const body = await smallBody();
    const bare = await startServer('bare-express');
    const echo = await startServer('echo');
    try {
      return await withGateway({}, async ({ gateway, apiKey }) => {
        const load = { path: '/detect', headers: headersOf(apiKey), body, connections };
        /** @param {{ url: string, pid: number }} server @param {number} [duration] */
        const on = (server, duration = seconds) => drive(server, { ...load, seconds: duration });
        // What is compiled while it is measured would count as work of the requests.
        for (const server of [gateway, bare]) await on(server, Math.min(seconds, 3));
        /** @type {Driven[]} */
        const ours = [];
        /** @type {Driven[]} */
        const theirs = [];
        for (let round = 0; round < rounds; round++) {
          ours.push(await on(gateway));
          theirs.push(await on(bare));
          const [our, their] = [ours[round], theirs[round]];
          log(
            `${figure(our.perSecond)} requests/s, ${figure(our.perCpuSecond)} per CPU second; bare ${figure(their.perSecond)}, ${figure(their.perCpuSecond)}`,
          );
        }
        const ceiling = await on(echo);
        return outcome(ours, theirs, ceiling);
      });
    } finally {
      await bare.stop();
      await echo.stop();
    }
  },

  report({ gateway, bare, ratio, ceiling }) {
    /** @param {string} name @param {any} server */
    const row = (name, server) => [
      name,
      range(server.perSecond),
      range(server.perCpuSecond),
      range(server.cores),
      range(server.loadCores),
      range(server.p50Ms),
    ];
    return [
      {
        title: 'Small requests',
        columns: ['Server', 'Requests/s', 'Requests per CPU second', 'Cores', 'Cores of the load', 'p50, ms'],
        rows: [
          row('gateway', gateway),
          row('bare Express 5, same body parser and answer', bare),
          ['gateway / bare', `**${range(ratio.perSecond)}**`, `**${range(ratio.perCpuSecond)}**`, '', '', ''],
        ],
        remark: `POST /detect with a picture under a kilobyte, from plain keep-alive sockets in a process of its own, which alone reaches ${figure(ceiling.perSecond)} requests/s against a server that only echoes. The gateway authenticates, limits and meters each on a Redis that syncs every second, and asks a stand-in for the inference tier that answers at once; Redis, stand-in and load share the machine, so requests/s are those of the whole machine and CPU seconds those of the server alone, its garbage collection included. Alternating rounds, median (lowest to highest); ratios are taken round by round.`,
      },
    ];
  },
};

/** @param {{ url: string, pid: number }} server @param {Omit<import('./load.mjs').Load, 'url'>} load */
async function drive({ url, pid }, load) {
  const before = cpuSecondsOf(pid);
  const { requests, seconds, cpuSeconds, statuses, milliseconds } = await applyLoad({ url, ...load });
  const spent = cpuSecondsOf(pid) - before;
  if (statuses[200] !== requests) throw new Error(`Not all were answered 200: ${JSON.stringify(statuses)}`);
  return {
    requests,
    perSecond: requests / seconds,
    perCpuSecond: requests / spent,
    cores: spent / seconds,
    loadCores: cpuSeconds / seconds,
    p50Ms: milliseconds.sort()[milliseconds.length >> 1],
  };
}

/** @param {Driven[]} ours @param {Driven[]} theirs @param {Driven} ceiling */
function outcome(ours, theirs, ceiling) {
  const gateway = summary(ours);
  const ratio = {
    perSecond: spread(ours.map(({ perSecond }, i) => perSecond / theirs[i].perSecond)),
    perCpuSecond: spread(ours.map(({ perCpuSecond }, i) => perCpuSecond / theirs[i].perCpuSecond)),
  };
  /** @type {import('../lib/types').Bar[]} */
  const bars = [
    {
      what: 'Small requests per CPU second of a gateway process',
      value: gateway.perCpuSecond.median,
      unit: '/s',
      bar: 4000,
      better: 'higher',
    },
    {
      what: 'The same against bare Express 5 with the same body parser',
      value: ratio.perCpuSecond.median,
      unit: 'x',
      bar: 0.5,
      better: 'higher',
    },
  ];
  return { bars, figures: { gateway, bare: summary(theirs), ratio, ceiling } };
}

/** @param {Driven[]} rounds */
function summary(rounds) {
  /** @param {keyof Driven} name */
  const of = (name) => spread(rounds.map((round) => round[name]));
  return {
    requests: of('requests'),
    perSecond: of('perSecond'),
    perCpuSecond: of('perCpuSecond'),
    cores: of('cores'),
    loadCores: of('loadCores'),
    p50Ms: of('p50Ms'),
  };
}
