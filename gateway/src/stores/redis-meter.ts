/** Metering in Redis, where every check-and-consume is one script. */
import { createHash } from 'node:crypto';
import brand from '@presenza/contract/brand.json';
import { BoundedMap } from '../services/bounded-map';
import type { Principal } from '../services/keys';
import {
  type Admittance,
  type Decision,
  type ItemState,
  idempotencyMs,
  isHard,
  type LateCommit,
  type MeterStore,
  type Reservation,
  type Settlement,
  StoreAway,
} from '../services/metering';
import type { Terms } from '../services/terms';
import { defineMeterCommands } from './meter-commands';
import type { RedisClient } from './redis';

const states: Readonly<Record<string, ItemState>> = { r: 'reserved', c: 'repeated', q: 'beyond' };

/** Accounts that may hold reservations, by when they last made one. */
const activeKey = `${brand.slug}:active`;
const sweeperKey = `${brand.slug}:sweeper`;
const touchEveryMs = 30_000;
const maxTouched = 10_000;
const sweepPage = 500;
/** Longer than any lease: who made no reservation for so long holds none. */
const idleMs = 30 * 60_000;

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
    const [outcome, remaining, resetMs, waitMs, letters] = await told(
      this.redis.meterAdmit(
        ...keysOf(accountId, items.length > 0 ? idempotency?.key : undefined),
        ...[limit, windowSeconds * 1_000, operations, terms.concurrency],
        ...[operation, operations, leaseMs, idempotency?.fingerprint ?? '', idempotencyMs],
        ...reservations.flatMap((one) => [one.index, hard ? terms.quota[one.group] : -1, textOf(one)]),
      ),
    );
    const rate = { limit, windowSeconds, remaining, resetMs };
    if (outcome !== 'admitted') return { rate, refusal: { kind: outcome, waitMs }, states: [] };
    return { rate, states: [...letters].map((letter) => states[letter] as ItemState) };
  }

  async settle(accountId: string, settlement: Settlement): Promise<void> {
    const { operation, operations, commits, refunds, ends, terms, idempotencyKey } = settlement;
    await told(
      this.redis.meterSettle(
        ...keysOf(accountId, idempotencyKey),
        ...[operation, operations, ends ? '1' : '0', writeTerms(terms)],
        ...[commits.length, ...commits, ...refunds],
      ),
    );
  }

  async replay(journal: string, sequence: number, late: LateCommit): Promise<void> {
    const { accountId, operation, operations, terms, idempotency, reservation, reserved } = late;
    await told(
      this.redis.meterReplay(
        ...keysOf(accountId, idempotency?.key),
        ...[journal, sequence, operation, operations, reservation.index, writeTerms(terms)],
        ...[idempotency?.fingerprint ?? '', idempotencyMs, reserved ? '' : textOf(reservation)],
      ),
    );
  }

  /** Gives back what operations held whose process died. Several gateways take turns. */
  async sweep(everyMs: number): Promise<void> {
    const { redis } = this;
    if (!(await redis.set(sweeperKey, '1', 'PX', Math.ceil(everyMs / 2), 'NX'))) return;
    const idleSince = this.now() - idleMs;
    for (let from = 0; ; from += sweepPage) {
      const accounts = await redis.zrange(activeKey, String(from), String(from + sweepPage - 1));
      await Promise.all(accounts.map((accountId) => redis.meterSweep(...keysOf(accountId as string))));
      if (accounts.length < sweepPage) break;
    }
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

/** The names of an account's keys: all in one slot. */
export const accountKey = (accountId: string, name: string) => `${brand.slug}:{${accountId}}:${name}`;

/** In the order of the scripts. */
export function keysOf(accountId: string, idempotencyKey?: string): string[] {
  const idem = idempotencyKey === undefined ? 'none' : digest(idempotencyKey);
  const names = ['burst', 'running', 'reservations', 'swept', 'usage', 'ledger', 'journals', `idem:${idem}`];
  return names.map((name) => accountKey(accountId, name));
}

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
  [mode, month, day, group, product, keyId].join('|');

/** The terms that a month is billed by, short, since each commit writes them. */
export const writeTerms = ({ quota, overage }: Terms): string => JSON.stringify({ quota, overage });
