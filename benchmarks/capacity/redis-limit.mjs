/**
 * The cost of metering in Redis. Behind a gateway: Redis's processor time for each request of a gateway under full load,
 * which a plan computes with. And the upper limit: the gateway's own scripts (gateway/src/stores), two for each request,
 * from one client with many in flight, so that Redis reads and writes several at once. Bytes and commands are those of
 * the scripts.
 */
import { startRedis, unlimited } from '../../gateway/harness/index.mjs';
import { secondsOf } from '../load/analysis.mjs';
import { detect, smallRequest, timesOf } from '../load/gateway.mjs';
import { applyMix, withGateway } from '../load/world.mjs';
import { countProcessorTime } from './processor-time.mjs';

const day = new Date(Date.UTC(2026, 0, 15));
const terms = { ...unlimited, overage: { imageAnalysis: 0, livenessDetection: 0 } };

/** @param {{ seconds: number, connections: number }} options */
export const measureRedisBehindGateway = ({ seconds, connections }) =>
  withGateway({ standInMs: 0 }, async (world) => {
    const smallWorld = { ...world, prepared: await smallRequest(world.bodies) };
    await applyMix(smallWorld, detect({ clients: connections, seconds: Math.min(seconds, 3) }));
    const stop = countProcessorTime(world.pids.redis);
    const { responses } = await applyMix(smallWorld, detect({ clients: connections, seconds }));
    const { totalMs } = stop();
    timesOf({ responses });
    return {
      perSecond: responses.length / secondsOf(responses),
      cpuMsPerRequest: totalMs / responses.length,
      perCore: (1e3 * responses.length) / totalMs,
    };
  });

/** @param {{ requests: number, atOnce: number, accounts: number }} options */
export async function measureScripts({ requests, atOnce, accounts }) {
  const { connectRedis } = await import('../../gateway/dist/stores/redis.js');
  const { RedisMeter } = await import('../../gateway/dist/stores/redis-meter.js');
  const { randomBase62 } = await import('../../gateway/dist/crypto/base62.js');
  const server = await startRedis({ durable: true });
  const client = await connectRedis({ url: server.url, cluster: false }, () => {});
  try {
    const meter = new RedisMeter(client);
    // Ids in the product's form: they decide the length of a line of the ledger.
    const holders = Array.from({ length: accounts }, () => ({
      accountId: `acc_${randomBase62(20)}`,
      keyId: `key_${randomBase62(20)}`,
    }));
    const drive = async (count) => {
      let next = 0;
      const lane = async () => {
        while (next < count) await meterOne(meter, holders[next++ % accounts], randomBase62(22));
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
    };
    await drive(Math.ceil(requests / 10));
    const [bytesBefore, commandsBefore] = [await usedBytes(client), await commandsOf(client)];
    const stop = countProcessorTime(server.pid);
    const begin = performance.now();
    await drive(requests);
    const seconds = (performance.now() - begin) / 1e3;
    const { totalMs } = stop();
    return {
      accounts,
      perSecond: requests / seconds,
      /** Includes writing the log, which a separate thread syncs. */
      cpuMsPerRequest: totalMs / requests,
      perCore: (1e3 * requests) / totalMs,
      commandsPerRequest: ((await commandsOf(client)) - commandsBefore) / requests,
      bytesPerUnit: ((await usedBytes(client)) - bytesBefore) / requests,
    };
  } finally {
    client.disconnect();
    await server.stop();
  }
}

async function meterOne(meter, { accountId, keyId }, admissionId) {
  const principal = { accountId, keyId, mode: 'live', plan: 'business', terms };
  const item = { index: 0, product: 'faceDetection', group: 'imageAnalysis' };
  const reservation = { ...item, mode: 'live', month: day.toISOString().slice(0, 7), day: 15, keyId };
  const admission = { admissionId, operations: 1, items: [item], leaseMs: 30_000 };
  const { states } = await meter.admit(principal, admission, [reservation]);
  if (states[0] !== 'reserved') throw new Error(`A unit was not reserved: ${states[0]}`);
  const settlement = { accountId, mode: 'live', admissionId, operations: 1 };
  await meter.settle({ ...settlement, commits: [0], refunds: [], ends: true });
}

/** @returns {Promise<number>} */
const usedBytes = async (client) =>
  Number(/used_memory_dataset:(\d+)/.exec(await client.info('memory'))?.[1]);

/** Calls of commands, with those inside scripts. @returns {Promise<number>} */
const commandsOf = async (client) =>
  [...(await client.info('commandstats')).matchAll(/calls=(\d+)/g)].reduce(
    (total, [, calls]) => total + Number(calls),
    0,
  );
