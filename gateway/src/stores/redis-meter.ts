/** Metering in Redis, where every check-and-consume is one script. */
import brand from '@presenza/contract/brand.json';
import { LRUCache } from 'lru-cache';
import { bounds } from '../bounds';
import type { Principal } from '../services/keys/keys';
import { isHard } from '../services/metering/metering';
import {
  type AdmissionRequest,
  type Decision,
  type ItemState,
  idempotencyMs,
  type LateCommit,
  type MeterStore,
  type Rejection,
  type Reservation,
  type Settlement,
  StoreEmpty,
  StoreUnavailable,
} from '../services/metering/metering-store';
import { accountsKey, recordKey } from './account-key';
import { erasuresKey } from './console-key';
import { takeLease } from './lease';
import { MeterCalls } from './meter-calls';
import { meterKeys, replayScript, scoped, sweepScript } from './meter-scripts';
import type { RedisClient } from './redis';
import { ledgerFrom, trimmedBefore } from './redis-usage';

type AdmitReply = [
  outcome: 'admitted' | Rejection,
  remaining: number,
  resetMs: number,
  waitMs: number,
  states: string,
  at: number,
];

const states: Readonly<Record<string, ItemState>> = {
  r: 'reserved',
  c: 'repeated',
  q: 'overQuota',
  h: 'quotaHeld',
};

/** Accounts that may hold reservations, by the time of their latest one. */
const activeKey = `${brand.slug}:active`;
const sweeperKey = `${brand.slug}:sweeper`;
export const forgetActive = (redis: RedisClient, accountId: string): Promise<unknown> =>
  redis.zrem(activeKey, accountId);

const touchEveryMs = 30_000;
const sweepPage = 500;
/** Longer than any lease: an account that has reserved nothing for this long has no reservations. */
const idleMs = 60 * 60_000;
/** How far the clock of Redis may have been set back after an admission. */
const clockToleranceMs = 60_000;

export class RedisMeter implements MeterStore {
  /** When each account was last recorded as active. */
  private readonly touched = new LRUCache<string, number>({ max: bounds.trackedAccounts });
  private readonly calls: MeterCalls;

  constructor(
    private readonly redis: RedisClient,
    private readonly now: () => number = Date.now,
  ) {
    this.calls = new MeterCalls(redis);
  }

  async admit(
    { accountId, terms, mode }: Principal,
    { admissionId, bucket, operations, items, owed, leaseMs, idempotency }: AdmissionRequest,
    reservations: readonly Reservation[],
  ): Promise<Decision> {
    if (items.length > 0) this.touch(accountId);
    const { burst, concurrency, quota } = terms;
    const { limit, windowSeconds } = burst;
    const hard = isHard({ terms, mode });
    const request = {
      admissionId,
      operations,
      limit,
      concurrency,
      owed,
      lease: leaseMs,
      reads: bucket === 'reads',
      window: windowSeconds * 1_000,
      fingerprint: idempotency?.fingerprint,
      items: reservations.map((reservation) => [
        String(reservation.index),
        hard ? quota[reservation.group] : -1,
        textOf(reservation),
      ]),
    };
    const idem = items.length > 0 ? idemOf(accountId, mode, idempotency?.key) : undefined;
    const entry = { request, itemCount: items.length, idem };
    const reply = await replyOf(this.calls.add(accountId, 'admissions', entry));
    const [outcome, remaining, resetMs, waitMs, letters, at] = reply as AdmitReply;
    const rate = { limit, windowSeconds, remaining, resetMs };
    if (outcome !== 'admitted') return { rate, rejection: { kind: outcome, waitMs }, states: [] };
    return { rate, states: [...letters].map((letter) => states[letter] as ItemState), at };
  }

  async settle({ accountId, mode, idempotencyKey, ...settlement }: Settlement): Promise<readonly number[]> {
    const itemCount = settlement.commits.length + settlement.refunds.length;
    const entry = { request: settlement, itemCount, idem: idemOf(accountId, mode, idempotencyKey) };
    return (await replyOf(this.calls.add(accountId, 'settlements', entry))) as number[];
  }

  async replay(journal: string, sequence: number, late: LateCommit): Promise<void> {
    const { accountId, operation: admissionId, operations, idempotency, reservation, reserved } = late;
    const args = {
      journal,
      sequence,
      admissionId,
      operations,
      index: reservation.index,
      fingerprint: idempotency?.fingerprint ?? '',
      remember: idempotencyMs,
    };
    const keys = {
      ...meterKeys(accountId, scoped(reservation.mode, idempotency?.key)),
      account: recordKey(accountId),
    };
    const run = (text: string) => replyOf(replayScript.run(this.redis, keys, { ...args, text }));
    const text = textOf(reservation);
    const reply = await run(reserved ? '' : text);
    if (reply === -1) return this.requireAccountUnlessErased(accountId);
    this.touch(accountId);
    if (reply === 0 && !(await this.hasSettled(late))) await run(text);
  }

  /**
   * Commits of an erased account are dropped. An empty Redis must not take the journal, because the restore that follows
   * would lose what it took.
   * @throws StoreEmpty if Redis has no account at all, or Error if it does not have this one
   */
  private async requireAccountUnlessErased(accountId: string): Promise<void> {
    if ((await replyOf(this.redis.zscore(erasuresKey, accountId))) !== null) return;
    if ((await replyOf(this.redis.exists(accountsKey))) === 0) throw new StoreEmpty();
    throw new Error(`the account ${accountId} does not exist`);
  }

  /**
   * Whether the ledger has the item of a reservation that is gone. If not, Redis was restored to a state before the
   * reservation. In a trimmed month, or without the time of the reservation, this cannot be known; the item then counts as
   * settled, so that it is not billed twice.
   */
  private async hasSettled({ accountId, operation, reservation, reservedAt }: LateCommit): Promise<boolean> {
    if (reservedAt === undefined) return true;
    const { redis } = this;
    const item = `${operation}:${reservation.index}`;
    const find = async () => {
      const trimmed = await trimmedBefore(redis, accountId);
      if (trimmed !== undefined && reservation.month < trimmed) return true;
      for await (const entry of ledgerFrom(redis, accountId, reservedAt - clockToleranceMs))
        if (entry.item === item && entry.kind !== 'expired') return true;
      return false;
    };
    return replyOf(find());
  }

  /** Refunds what operations of lost processes hold. A lease selects one gateway for each round. */
  async sweep(everyMs: number): Promise<void> {
    const { redis } = this;
    if (!(await takeLease(redis, sweeperKey, everyMs / 2))) return;
    const idleSince = this.now() - idleMs;
    const failures: unknown[] = [];
    for await (const accounts of pagesOfActive(redis)) {
      const swept = await Promise.allSettled(accounts.map((id) => sweepScript.run(redis, meterKeys(id), {})));
      failures.push(...swept.flatMap((sweep) => (sweep.status === 'rejected' ? [sweep.reason] : [])));
    }
    // Part of a cluster may be unavailable. The rest is swept, and no account is forgotten before all are.
    if (failures.length > 0) throw failures[0];
    await redis.zremrangebyscore(activeKey, '-inf', String(idleSince));
  }

  /** Not awaited: if the write is lost, the account's next request sweeps too. */
  private touch(accountId: string): void {
    const now = this.now();
    if (now - (this.touched.get(accountId) ?? 0) < touchEveryMs) return;
    this.touched.set(accountId, now);
    this.redis.zadd(activeKey, now, accountId).catch(() => this.touched.delete(accountId));
  }
}

/** Accounts that reserved something within the last hour. */
export async function* activeAccounts(redis: RedisClient): AsyncGenerator<string> {
  for await (const accounts of pagesOfActive(redis)) yield* accounts;
}

async function* pagesOfActive(redis: RedisClient): AsyncGenerator<string[]> {
  for (let from = 0; ; from += sweepPage) {
    const to = from + sweepPage - 1;
    const accounts = (await redis.zrange(activeKey, String(from), String(to))) as string[];
    yield accounts;
    if (accounts.length < sweepPage) return;
  }
}

/** Error replies of a Redis that temporarily cannot work, or whose slots have moved. */
const passing =
  /^(?:LOADING|READONLY|MASTERDOWN|MISCONF|OOM|BUSY|TRYAGAIN|CLUSTERDOWN|MOVED|ASK|NOREPLICAS|NOAUTH)\b/;

/** @throws StoreUnavailable, or the error of the script */
async function replyOf<T>(command: Promise<T>): Promise<T> {
  try {
    return await command;
  } catch (cause) {
    const { name, message } = cause as Error;
    if (name === 'ReplyError' && !passing.test(message)) throw cause;
    throw new StoreUnavailable(message, { cause });
  }
}

const idemOf = (accountId: string, mode: Principal['mode'], key: string | undefined) =>
  key === undefined ? undefined : meterKeys(accountId, scoped(mode, key)).idem;

const textOf = ({ mode, month, day, group, product, keyId }: Reservation): string =>
  `${mode}|${month}|${day}|${group}|${product}|${keyId}`;
