/** Metering in Redis, where every check-and-consume is one script. */
import { createHash } from 'node:crypto';
import brand from '@presenza/contract/brand.json';
import { BoundedMap } from '../services/bounded-map';
import type { Principal } from '../services/keys/keys';
import { isHard } from '../services/metering/metering';
import {
  type Admittance,
  type Decision,
  type ItemState,
  idempotencyMs,
  type LateCommit,
  type MeterStore,
  type Reservation,
  type Settlement,
  StoreAway,
} from '../services/metering/metering-store';
import { accountKey } from './account-key';
import { defineMeterCommands } from './meter-commands';
import type { RedisClient } from './redis';
import { takeTurn } from './turn';

const states: Readonly<Record<string, ItemState>> = { r: 'reserved', c: 'repeated', q: 'beyond' };

/** Accounts that may hold reservations, by when they last made one. */
const activeKey = `${brand.slug}:active`;
const sweeperKey = `${brand.slug}:sweeper`;
const touchEveryMs = 30_000;
const maxTouched = 10_000;
const sweepPage = 500;
/** Longer than any lease, which a batch at the longest deadline has: who reserved nothing for so long holds nothing. */
const idleMs = 60 * 60_000;

export class RedisMeter implements MeterStore {
  /** When. */
  private readonly touched = new BoundedMap<string, number>(maxTouched);

  constructor(
    private readonly redis: RedisClient,
    private readonly now: () => number = Date.now,
  ) {
    defineMeterCommands(redis);
  }

  async admit(
    { accountId, terms, mode }: Principal,
    { operation, operations, items, leaseMs, idempotency }: Admittance,
    reservations: readonly Reservation[],
  ): Promise<Decision> {
    if (items.length > 0) this.touch(accountId);
    const { limit, windowSeconds } = terms.burst;
    const hard = isHard({ terms, mode });
    // One list, since this is on the way of every request.
    const args: (string | number)[] = keysOf(
      accountId,
      items.length > 0 ? scoped(mode, idempotency?.key) : undefined,
    );
    args.push(limit, windowSeconds * 1_000, operations, terms.concurrency);
    args.push(operation, operations, leaseMs, idempotency?.fingerprint ?? '', idempotencyMs);
    for (const one of reservations) args.push(one.index, hard ? terms.quota[one.group] : -1, textOf(one));
    const [outcome, remaining, resetMs, waitMs, letters] = await told(this.redis.meterAdmit(...args));
    const rate = { limit, windowSeconds, remaining, resetMs };
    if (outcome !== 'admitted') return { rate, denial: { kind: outcome, waitMs }, states: [] };
    return { rate, states: [...letters].map((letter) => states[letter] as ItemState) };
  }

  async settle(settlement: Settlement): Promise<void> {
    const { accountId, mode, operation, operations, commits, refunds, ends, idempotencyKey } = settlement;
    const args: (string | number)[] = keysOf(accountId, scoped(mode, idempotencyKey));
    args.push(operation, operations, ends ? '1' : '0', commits.length, ...commits, ...refunds);
    await told(this.redis.meterSettle(...args));
  }

  async replay(journal: string, sequence: number, late: LateCommit): Promise<void> {
    const { accountId, operation, operations, idempotency, reservation, reserved } = late;
    await told(
      this.redis.meterReplay(
        ...keysOf(accountId, scoped(reservation.mode, idempotency?.key)),
        ...[journal, sequence, operation, operations, reservation.index],
        ...[idempotency?.fingerprint ?? '', idempotencyMs, reserved ? '' : textOf(reservation)],
      ),
    );
  }

  /** Gives back what operations held whose process died. Several gateways take turns. */
  async sweep(everyMs: number): Promise<void> {
    const { redis } = this;
    if (!(await takeTurn(redis, sweeperKey, everyMs / 2))) return;
    const idleSince = this.now() - idleMs;
    const failures: unknown[] = [];
    for (let from = 0; ; from += sweepPage) {
      const accounts = (await redis.zrange(
        activeKey,
        String(from),
        String(from + sweepPage - 1),
      )) as string[];
      const swept = await Promise.allSettled(accounts.map((id) => redis.meterSweep(...keysOf(id))));
      failures.push(...swept.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
      if (accounts.length < sweepPage) break;
    }
    // Of a cluster a part may be away: the rest was swept, and nobody is forgotten before all were.
    if (failures.length > 0) throw failures[0];
    await redis.zremrangebyscore(activeKey, '-inf', String(idleSince));
  }

  /** Off the request's way: should it be lost, the account's next request sweeps as well. */
  private touch(accountId: string): void {
    const now = this.now();
    if (now - (this.touched.get(accountId) ?? 0) < touchEveryMs) return;
    this.touched.set(accountId, now);
    this.redis.zadd(activeKey, now, accountId).catch(() => this.touched.delete(accountId));
  }
}

/** The names of an account's keys, in the order of the scripts: all in one slot. */
export function keysOf(accountId: string, idempotencyKey?: string): string[] {
  const account = accountKey(accountId, '');
  return [
    `${account}burst`,
    `${account}running`,
    `${account}reservations`,
    `${account}swept`,
    `${account}usage`,
    `${account}ledger`,
    `${account}journals`,
    `${account}idem:${idempotencyKey === undefined ? 'none' : digest(idempotencyKey)}`,
  ];
}

/** What was tried with a test key was never charged to a live one. */
export const scoped = (mode: string, key: string | undefined) =>
  key === undefined ? undefined : `${mode}:${key}`;

/** Replies of a Redis that runs and cannot do its work for now. */
const passing = /^(?:LOADING|READONLY|MASTERDOWN|MISCONF|OOM|BUSY|TRYAGAIN|CLUSTERDOWN|NOREPLICAS|NOAUTH)\b/;

/** @throws StoreAway, or what a script failed with */
async function told<T>(command: Promise<T>): Promise<T> {
  try {
    return await command;
  } catch (cause) {
    const { name, message } = cause as Error;
    if (name === 'ReplyError' && !passing.test(message)) throw cause;
    throw new StoreAway(message, { cause });
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);

const textOf = ({ mode, month, day, group, product, keyId }: Reservation): string =>
  `${mode}|${month}|${day}|${group}|${product}|${keyId}`;
