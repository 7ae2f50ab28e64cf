/**
 * What metering costs Redis: the gateway's own scripts (gateway/src/stores), two for each request, from many requests at
 * once. Processor time of the server is what counts, so a slow sender does not make Redis look slow.
 */
import { createRequire } from 'node:module';
import { startRedis, unlimited } from '../lib/gateway.mjs';
import { gatewayFile } from '../lib/paths.mjs';
import { countProcessorTime } from './processor-time.mjs';

const require = createRequire(import.meta.url);

const day = new Date(Date.UTC(2026, 0, 15));
const terms = { ...unlimited, overage: { imageAnalysis: 0, livenessDetection: 0 } };

/** @param {{ requests: number, atOnce: number, accounts: number }} options */
export async function measureRedis({ requests, atOnce, accounts }) {
  const { connectRedis } = require(gatewayFile('stores', 'redis.js'));
  const { RedisMeter } = require(gatewayFile('stores', 'redis-meter.js'));
  const server = await startRedis();
  const client = await connectRedis({ url: server.url, cluster: false }, () => {});
  try {
    const meter = new RedisMeter(client);
    await drive(meter, { requests: Math.ceil(requests / 10), atOnce, accounts, from: 0 });
    const bytesBefore = await usedBytes(client);
    const commandsBefore = await commands(client);
    const taken = countProcessorTime(server.pid);
    const begin = performance.now();
    await drive(meter, { requests, atOnce, accounts, from: requests });
    const seconds = (performance.now() - begin) / 1e3;
    const { totalMs } = taken();
    return {
      accounts,
      perSecond: requests / seconds,
      /** Writing of the log included, which a thread of its own syncs. */
      cpuMsPerRequest: totalMs / requests,
      perCore: (1e3 * requests) / totalMs,
      commandsPerRequest: ((await commands(client)) - commandsBefore) / requests,
      bytesPerUnit: ((await usedBytes(client)) - bytesBefore) / requests,
    };
  } finally {
    client.disconnect();
    await server.stop();
  }
}

/**
 * @param {any} meter
 * @param {{ requests: number, atOnce: number, accounts: number, from: number }} options
 */
async function drive(meter, { requests, atOnce, accounts, from }) {
  let next = 0;
  const lane = async () => {
    while (next < requests) {
      const number = from + next++;
      await meterOne(meter, `acc_capacity${number % accounts}`, `op_${number}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** @param {any} meter @param {string} accountId @param {string} operation */
async function meterOne(meter, accountId, operation) {
  const principal = { accountId, keyId: 'key_capacity', mode: 'live', plan: 'business', terms };
  const item = { index: 0, product: 'face-detection', group: 'imageAnalysis' };
  const reservation = {
    ...item,
    mode: 'live',
    month: day.toISOString().slice(0, 7),
    day: 15,
    keyId: 'key_capacity',
  };
  const admittance = { operation, operations: 1, items: [item], leaseMs: 30_000 };
  const { states } = await meter.admit(principal, admittance, [reservation]);
  if (states[0] !== 'reserved') throw new Error(`A unit was not reserved: ${states[0]}`);
  await meter.settle({
    accountId,
    mode: 'live',
    operation,
    operations: 1,
    commits: [0],
    refunds: [],
    ends: true,
  });
}

/** @param {any} client @returns {Promise<number>} */
const usedBytes = async (client) =>
  Number(/used_memory_dataset:(\d+)/.exec(await client.info('memory'))?.[1]);

/** Calls of commands, those inside scripts included. @param {any} client @returns {Promise<number>} */
const commands = async (client) =>
  [...(await client.info('commandstats')).matchAll(/calls=(\d+)/g)].reduce(
    (sum, [, calls]) => sum + Number(calls),
    0,
  );
