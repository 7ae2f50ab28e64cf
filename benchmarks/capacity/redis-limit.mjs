/**
 * What metering costs Redis. On the real way: its processor time for each request of one gateway that is asked as fast
 * as it answers, which is what a plan counts with. And the most there can be: the gateway's own scripts
 * (gateway/src/stores), two for each request, from one client that does nothing else and has many under way at once, so
 * that Redis reads and writes for several in one go. Bytes and commands are those of the scripts.
 */
import { createRequire } from 'node:module';
import { applyLoad } from '../gateway/load.mjs';
import { headersOf, smallBody, withGateway } from '../gateway/small.mjs';
import { startRedis, unlimited } from '../lib/gateway.mjs';
import { gatewayFile } from '../lib/paths.mjs';
import { countProcessorTime } from './processor-time.mjs';

const require = createRequire(import.meta.url);

const day = new Date(Date.UTC(2026, 0, 15));
const terms = { ...unlimited, overage: { imageAnalysis: 0, livenessDetection: 0 } };

/** @typedef {(length: number) => string} RandomText */

/**
 * Redis under a gateway with a stand-in for the inference tier: small requests, as many as one process carries.
 * @param {{ seconds: number, connections: number }} options
 */
export async function measureRedisBehindGateway({ seconds, connections }) {
  const body = await smallBody();
  return withGateway({}, async ({ gateway, redis, apiKey }) => {
    const load = { url: gateway.url, path: '/detect', headers: headersOf(apiKey), body, connections };
    await applyLoad({ ...load, seconds: Math.min(seconds, 3) });
    const taken = countProcessorTime(redis.pid);
    const { requests, statuses, seconds: spent } = await applyLoad({ ...load, seconds });
    const { totalMs } = taken();
    if (statuses[200] !== requests) throw new Error(`Not all answered 200: ${JSON.stringify(statuses)}`);
    return {
      perSecond: requests / spent,
      cpuMsPerRequest: totalMs / requests,
      perCore: (1e3 * requests) / totalMs,
    };
  });
}

/** @param {{ requests: number, atOnce: number, accounts: number }} options */
export async function measureScripts({ requests, atOnce, accounts }) {
  const { connectRedis } = require(gatewayFile('stores', 'redis.js'));
  const { RedisMeter } = require(gatewayFile('stores', 'redis-meter.js'));
  /** @type {{ randomBase62: RandomText }} */
  const { randomBase62 } = require(gatewayFile('services', 'base62.js'));
  const server = await startRedis();
  const client = await connectRedis({ url: server.url, cluster: false }, () => {});
  try {
    const meter = new RedisMeter(client);
    const holders = Array.from({ length: accounts }, () => holderOf(randomBase62));
    const load = { atOnce, holders, randomBase62 };
    await drive(meter, { ...load, requests: Math.ceil(requests / 10) });
    const bytesBefore = await usedBytes(client);
    const commandsBefore = await commands(client);
    const taken = countProcessorTime(server.pid);
    const begin = performance.now();
    await drive(meter, { ...load, requests });
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
 * An account and its key, in the form of the product's (gateway/src/services/accounts, keys): a line of the ledger is
 * as long as its ids.
 * @param {RandomText} randomBase62
 */
const holderOf = (randomBase62) => ({
  accountId: `acc_${randomBase62(20)}`,
  keyId: `key_${randomBase62(20)}`,
});

/**
 * @param {any} meter
 * @param {{ requests: number, atOnce: number, holders: ReturnType<typeof holderOf>[], randomBase62: RandomText }} options
 */
async function drive(meter, { requests, atOnce, holders, randomBase62 }) {
  let next = 0;
  const lane = async () => {
    while (next < requests) await meterOne(meter, holders[next++ % holders.length], randomBase62(22));
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** @param {any} meter @param {ReturnType<typeof holderOf>} holder @param {string} operation */
async function meterOne(meter, { accountId, keyId }, operation) {
  const principal = { accountId, keyId, mode: 'live', plan: 'business', terms };
  const item = { index: 0, product: 'faceDetection', group: 'imageAnalysis' };
  const reservation = { ...item, mode: 'live', month: day.toISOString().slice(0, 7), day: 15, keyId };
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
