/**
 * The client of a Redis Cluster waits for missing slots, and follows slots that move.
 *
 * Slow: it starts a Redis Cluster, whose failover takes seconds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type RunningServer, startRedis, startRedisCluster, waitUntil } from '../harness/index.mjs';
import type { Principal } from '../src/services/keys/keys';
import { StoreUnavailable } from '../src/services/metering/metering-store';
import { termsOf } from '../src/services/plans/terms';
import { connectRedis } from '../src/stores/redis';
import { RedisMeter } from '../src/stores/redis-meter';

const connect = (url: string, withinMs?: number) => connectRedis({ url, cluster: true }, () => {}, withinMs);

describe('a cluster with missing slots', () => {
  /** Redis serves the slots that it has, so its state is `ok` with gaps. */
  const config = {
    'cluster-enabled': 'yes',
    'cluster-require-full-coverage': 'no',
    'cluster-announce-ip': '127.0.0.1',
  };
  let folder: string;
  let node: RunningServer;
  let admin: Redis;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'presenza-cluster-'));
    node = await startRedis({ folder, config });
    admin = new Redis(node.url);
    await admin.call('CLUSTER', 'ADDSLOTSRANGE', '0', '8191');
  });
  afterEach(async () => {
    await admin.quit();
    await node.stop();
    rmSync(folder, { recursive: true });
  });

  test('keeps a gateway waiting until it has all', async () => {
    let isConnected = false;
    const connected = connect(node.url).finally(() => {
      isConnected = true;
    });
    // The client asks for the map of slots, finds gaps, and asks again.
    await waitUntil('the client has asked three times', async () =>
      /cmdstat_cluster\|slots:calls=(?:[3-9]|\d\d)/.test(await admin.info('commandstats')),
    );
    expect(isConnected).toBe(false);
    await admin.call('CLUSTER', 'ADDSLOTSRANGE', '8192', '16383');
    const redis = await connected;
    // The slots of these keys are 12182 and 5061.
    await Promise.all([redis.set('foo', '1'), redis.set('bar', '2')]);
    expect(await Promise.all([redis.get('foo'), redis.get('bar')])).toEqual(['1', '2']);
    redis.disconnect();
  });

  test('is refused with the number of its slots', async () => {
    const error = await connect(node.url, 500).catch((refusal: Error) => refusal);
    expect((error as Error).cause).toMatchObject({
      message: expect.stringContaining('8192 of 16384 slots are assigned'),
    });
  });
});

test('a request for slots that have moved asks clients to retry, until the new node serves it', async () => {
  const cluster = await startRedisCluster();
  const redis = await connect(cluster.url);
  const nodes = cluster.nodes.map(({ url }) => new Redis(url));
  const [from, to] = nodes as [Redis, Redis];
  const meter = new RedisMeter(redis);
  try {
    const accounts = await accountsOfFirst(from, 2);
    const id = String(await to.call('CLUSTER', 'MYID'));
    for (const node of [to, from, ...nodes.slice(2)])
      for (const [, slot] of accounts) await node.call('CLUSTER', 'SETSLOT', String(slot), 'NODE', id);
    const rounds: PromiseSettledResult<unknown>[][] = [];
    await waitUntil('both accounts are admitted', async () => {
      // Requests of one moment share a pipeline, whose replies name different slots.
      const round = await Promise.allSettled(accounts.map(([account]) => meter.admit(account, request, [])));
      rounds.push(round);
      return round.every(({ status }) => status === 'fulfilled');
    });
    const failures = rounds.flat().filter((result) => result.status === 'rejected');
    for (const { reason } of failures) expect(reason).toBeInstanceOf(StoreUnavailable);
  } finally {
    redis.disconnect();
    for (const node of nodes) node.disconnect();
    await cluster.stop();
  }
});

const request = { admissionId: 'one', operations: 1, items: [], leaseMs: 60_000 };

const accountOf = (accountId: string): Principal => ({
  accountId,
  keyId: 'key_1',
  mode: 'live',
  plan: 'business',
  terms: termsOf('business'),
});

/** Accounts in slots of the first of three nodes, with their slots. */
async function accountsOfFirst(node: Redis, count: number): Promise<[Principal, number][]> {
  const accounts: [Principal, number][] = [];
  for (let i = 0; accounts.length < count; i += 1) {
    const account = accountOf(`acc_${i}`);
    const slot = await node.cluster('KEYSLOT', account.accountId);
    if (slot < 16_384 / 3 - 1) accounts.push([account, slot]);
  }
  return accounts;
}
