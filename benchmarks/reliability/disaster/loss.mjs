/** One loss of the machine of Redis, from the backup to the audit. */
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  admin,
  drive,
  freePort,
  HOST,
  Part,
  RetryingClient,
  redisCommand,
  startRedis,
  unlimited,
  whenSettled,
  withService,
} from '../../../gateway/harness/index.mjs';
import { operations } from '../../../gateway/harness/operations.mjs';
import { randomFrom } from '../../../gateway/harness/random.mjs';
import { sum } from '../../lib/stats.mjs';
import { evaluate, patienceOf } from '../rehearsal.mjs';
import { fill, itemsOf, linesOfJournal } from './ledger.mjs';
import { backUp, restore, seconds, startReplica, withLost } from './steps.mjs';
import { beginTrials, changeTrials, surprisesIn, triedAfter } from './trials.mjs';
import { balanceOf, journaledUnits } from './units.mjs';

/** Without Redis, the first account has to wait, and the service serves the second one. */
export const plans = { 'hard limit': 'free', 'with overage': 'business' };
/** @typedef {import('../../../gateway/harness/index.mjs').Service} Service */

/** Starts the service with a Redis for the keys of sessions, and loses its Redis. */
export async function play(loss, course, folder) {
  const keysFolder = join(folder, 'redis-keys');
  mkdirSync(keysFolder);
  const port = await freePort();
  const sessionKeys = new Part('redis-keys', () => startRedis({ folder: keysFolder, port, durable: true }));
  await sessionKeys.start();
  const gatewayEnv = {
    GATEWAY_DEADLINE_MS: String(course.deadlineMs),
    REDIS_SESSION_KEYS_URL: `redis://${HOST}:${port}`,
  };
  try {
    return await withService({ gateways: 2, proxies: true, gatewayEnv }, async (service) => {
      const emptyKeys = async () => {
        rmSync(keysFolder, { recursive: true });
        mkdirSync(keysFolder);
      };
      const keys = loss.losesKeys ? { part: sessionKeys, empty: emptyKeys } : undefined;
      return rehearse(service, { keys, hasReplica: loss.hasReplica ?? false, folder }, course);
    });
  } finally {
    await sessionKeys.stop();
  }
}

/** @param {Service} service */
async function rehearse(service, { keys, hasReplica, folder }, course) {
  const { ledgerUnits, beforeSeconds, sinceSeconds, awaySeconds, afterSeconds } = course;
  const filler = await service.createAccount();
  await fill(service.redisUrl, filler.accountId, ledgerUnits);
  const groups = [];
  for (const [place, [kind, plan]] of Object.entries(plans).entries()) {
    const account = await service.createAccount({ plan, overrides: unlimited });
    groups.push(new Group(kind, account, service, { ...course, seed: course.seed + 100 * place }));
  }
  const replica = hasReplica ? await startReplica(service) : undefined;
  try {
    for (const group of groups) group.begin();
    await delay(1e3 * beforeSeconds);
    const trials = await beginTrials(service);
    const file = join(folder, 'backup.rdb');
    const backupS = replica ? undefined : await seconds(() => backUp(service.redisUrl, file));
    await changeTrials(service, trials);
    await delay(1e3 * sinceSeconds);

    const lostAt = performance.now();
    for (const proxy of service.proxies.redis) proxy.partition();
    await Promise.all([service.redis.kill(), keys?.part.kill()]);
    const lostFolder = join(folder, 'lost');
    renameSync(service.redisFolder, lostFolder);
    mkdirSync(service.redisFolder);
    await keys?.empty();
    await delay(1e3 * awaySeconds);
    for (const group of groups) group.pause();
    // Accounts with overage are served without Redis, so that the journals are complete once their last response is here.
    await Promise.all(groups.filter(({ kind }) => kind === 'with overage').map((group) => group.idle()));
    const journaled = service.journals.flatMap(linesOfJournal);

    let keysRestored;
    const restoreS = await seconds(async () => {
      if (replica) await redisCommand(replica.url, ['REPLICAOF', 'NO', 'ONE']);
      else keysRestored = await restore(file, service.redisFolder);
    });
    const startS = replica ? undefined : await seconds(() => service.redis.startUntilUp());
    await keys?.part.startUntilUp();
    const redisUrl = replica?.url ?? service.redisUrl;
    const atBackup = await itemsOf(redisUrl, groups);
    const backAt = performance.now();
    for (const proxy of service.proxies.redis) {
      if (replica) proxy.target = () => replica.port;
      await proxy.heal();
    }
    for (const group of groups) group.begin();
    const journals = { accounts: [], journals: service.journals };
    const journalsS = (await whenSettled(redisUrl, journals)) / 1e3;
    const asked = await triedAfter(service, trials, redisUrl);
    await delay(1e3 * afterSeconds);
    for (const group of groups) group.pause();
    const outcomes = await Promise.all(groups.map((group) => group.idle()));
    const accounts = groups.map(({ account }) => account.accountId);
    await whenSettled(redisUrl, { accounts, journals: service.journals });

    const verified = [];
    for (const id of [filler.accountId, ...accounts]) {
      let matches = false;
      const took = await seconds(async () => {
        const result = admin(['usage', 'verify', '--account', id], { REDIS_URL: redisUrl });
        matches = await result.then((comparison) => comparison.matches).catch(() => false);
      });
      verified.push({ took, matches });
    }
    const billed = await itemsOf(redisUrl, groups);
    const atLoss = await withLost(lostFolder, (url) => itemsOf(url, groups));
    const until = performance.now();
    const failed = outcomes
      .flat()
      .flatMap(({ attempts }) => attempts)
      .filter(({ name, to }) => name.startsWith('503') && to > lostAt);
    const first = (outcome) => outcome.attempts.find((attempt) => !attempt.failed && attempt.to > backAt)?.to;
    return {
      times: {
        backupS,
        detectionS: (Math.min(...failed.map(({ to }) => to)) - lostAt) / 1e3,
        restoreS,
        startS,
        firstSuccessS:
          (Math.min(...(outcomes[0] ?? []).map((result) => first(result) ?? until)) - backAt) / 1e3,
        journalsS,
        verifyS: verified[0]?.took,
      },
      keys: keysRestored,
      backupBytes: replica ? undefined : statSync(file).size,
      unverified: verified.filter(({ matches }) => !matches).length,
      trials: asked,
      surprises: surprisesIn(asked, { hasReplica, losesKeys: keys !== undefined }),
      accounts: groups.map(({ kind, account }, i) => {
        const accountOutcomes = outcomes[i] ?? [];
        const id = account.accountId;
        const succeeded = sum(accountOutcomes.map((result) => result.succeeded.filter(Boolean).length));
        return {
          kind,
          succeeded,
          balance: balanceOf({
            atBackup: atBackup[i],
            atLoss: atLoss[i],
            billed: billed[i],
            journaled: journaledUnits(journaled.filter(({ accountId }) => accountId === id)),
            succeeded,
          }),
          lostOperations: accountOutcomes.filter(({ lost }) => lost).length,
          defects: sum(accountOutcomes.map(({ defects }) => defects)),
          away: evaluate(accountOutcomes, { from: lostAt, to: backAt, until, deadlineMs: course.deadlineMs }),
        };
      }),
    };
  } finally {
    for (const group of groups) group.close();
    await replica?.stop();
  }
}

/** An account with its load, which can be paused. */
class Group {
  #stopping = new AbortController();
  /** @type {Promise<{ results: import('../../../gateway/harness/index.mjs').Outcome[] }>[]} */
  #driven = [];

  constructor(kind, account, { urls }, { perSecond, deadlineMs, seed, images }) {
    this.kind = kind;
    this.account = account;
    this.perSecond = perSecond;
    const options = { ...patienceOf(deadlineMs), random: randomFrom(seed + 1).next };
    this.client = new RetryingClient(urls, account.apiKey, options);
    this.next = operations(images, randomFrom(seed + 2), String(seed));
  }

  begin() {
    this.#stopping = new AbortController();
    const send = () => this.client.pursue(this.next());
    this.#driven.push(drive({ perSecond: this.perSecond, send, signal: this.#stopping.signal }));
  }

  /** Starts no further operations. */
  pause = () => this.#stopping.abort();

  /** The outcomes of all operations so far, once each has one. */
  idle = async () => (await Promise.all(this.#driven)).flatMap(({ results }) => results);

  close() {
    this.pause();
    this.client.close();
  }
}
