/** A hard quota under a rush of requests to two gateways at once. */
import { accountKey, createAccount, startGateway, startRedis, withRedis } from '../lib/gateway.mjs';
import { headersOf, smallBody, startServer } from './small.mjs';
import { applyWave } from './wave.mjs';

/** Of the Free plan, image analyses a month. */
const QUOTA = 50;

/** @type {import('../lib/types').Measurement} */
export const quota = {
  name: 'gateway/quota',
  answers: 'Does a Free account get exactly its quota when 200 requests come at once to two gateways?',
  parameters: { rounds: 5, atOnce: 200 },

  async run({ rounds, atOnce }, log) {
    const body = await smallBody();
    const redis = await startRedis();
    const standIn = await startServer('stand-in', { STAND_IN_MS: '20' });
    const where = { redisUrl: redis.url, inferenceUrl: standIn.url };
    const gateways = await Promise.all([startGateway(where), startGateway(where)]);
    const urls = gateways.map(({ url }) => url);
    try {
      const seen = [];
      for (let round = 0; round < rounds; round++) {
        // Rate and concurrency of the plan would refuse most of them before the quota could.
        const overrides = { burst: { limit: 10_000, windowSeconds: 60 }, concurrency: 1_000 };
        const { accountId, apiKey } = await createAccount(redis.url, { plan: 'free', overrides });
        const wave = { urls, path: '/detect', headers: [headersOf(apiKey)], body, requests: atOnce };
        const { statuses } = await applyWave(wave);
        const usage = await withRedis(redis.url, (client) => client.hgetall(accountKey(accountId, 'usage')));
        const counted = Object.entries(usage).find(([field]) => field.endsWith(':imageAnalysis:used'));
        seen.push({ statuses, admitted: statuses[200] ?? 0, counted: Number(counted?.[1] ?? 0) });
        log(`${JSON.stringify(statuses)}, counted ${seen[round].counted}`);
      }
      const off = seen.flatMap((one) => [one.admitted, one.counted]).map((count) => Math.abs(count - QUOTA));
      return {
        bars: [
          {
            what: `Units off the quota of ${QUOTA}, ${atOnce} requests at once over two gateways`,
            value: Math.max(...off),
            unit: '',
            bar: 0,
            better: 'lower',
          },
        ],
        figures: { rounds: seen },
      };
    } finally {
      for (const part of [...gateways, standIn, redis]) await part.stop();
    }
  },

  report({ rounds }) {
    return [
      {
        title: 'Admitted',
        columns: ['Round', 'Answered 200', 'Counted', 'All answers'],
        rows: rounds.map((/** @type {any} */ one, /** @type {number} */ i) => [
          i + 1,
          one.admitted,
          one.counted,
          Object.entries(one.statuses)
            .map(([status, count]) => `${status}: ${count}`)
            .join(', '),
        ]),
        remark: `A fresh Free account each round, with ${QUOTA} image analyses a month; its rate and concurrency limits are lifted.`,
      },
    ];
  },
};
