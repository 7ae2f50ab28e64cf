/** The scripts of metering (`gateway/lua/metering`) and the keys that they share. */
import { createHash } from 'node:crypto';
import { idempotencyMs } from '../services/metering/metering-store';
import { accountKey } from './account-key';
import { LuaScript } from './lua/script';

export type MeterKey =
  | 'burst'
  | 'reads'
  | 'running'
  | 'reservations'
  | 'swept'
  | 'usage'
  | 'ledger'
  | 'journals'
  | 'idem';

/** Requests without an Idempotency-Key share a name that the scripts recognize. */
const noIdempotencyKey = 'none';

/**
 * The names of an account's keys, all in one slot of a cluster.
 * @param idempotencyKey as `scoped` returns it.
 */
export function meterKeys(accountId: string, idempotencyKey?: string): Record<MeterKey, string> {
  const account = accountKey(accountId, '');
  const idempotency = idempotencyKey === undefined ? noIdempotencyKey : digest(idempotencyKey);
  return {
    burst: `${account}burst`,
    reads: `${account}reads`,
    running: `${account}running`,
    reservations: `${account}reservations`,
    swept: `${account}swept`,
    usage: `${account}usage`,
    ledger: `${account}ledger`,
    journals: `${account}journals`,
    idem: `${account}idem:${idempotency}`,
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** Separates the idempotency keys of test and live mode, because a unit of a test key is never billed. */
export const scoped = (mode: string, key: string | undefined) =>
  key === undefined ? undefined : `${mode}:${key}`;

/** Its further keys are the idempotency keys of its admissions and settlements. */
export const admitAndSettleScript = LuaScript.load<MeterKey, 'admissions' | 'settlements'>(
  'metering/admit-and-settle',
  { REMEMBER_MS: idempotencyMs },
);

export const replayScript = LuaScript.load<
  MeterKey | 'account',
  'journal' | 'sequence' | 'admissionId' | 'operations' | 'index' | 'fingerprint' | 'remember' | 'text'
>('metering/replay');

export const sweepScript = LuaScript.load<MeterKey>('metering/sweep');
