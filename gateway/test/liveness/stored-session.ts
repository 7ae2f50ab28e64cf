/** Creates sessions directly in the store, with a unit that metering reserved. */
import { randomUUID } from 'node:crypto';
import type { Principal } from '../../src/services/keys/keys';
import {
  addressOf,
  type Creation,
  type NewSession,
  type SessionAddress,
} from '../../src/services/liveness/session/session-store';
import type { Idempotency } from '../../src/services/metering/metering-store';
import { monthOf } from '../../src/services/metering/months';
import { termsOf } from '../../src/services/plans/terms';
import { RedisSessionStore } from '../../src/stores/liveness/redis-session-store';
import type { RedisClient } from '../../src/stores/redis';
import { RedisMeter } from '../../src/stores/redis-meter';

export const hour = 3_600_000;

/** A principal of a new account. */
export const newPrincipal = (): Principal => ({
  accountId: `acc_${randomUUID()}`,
  keyId: 'key_1',
  mode: 'live',
  plan: 'growth',
  terms: termsOf('growth'),
});

/** @returns the id of the admission with the reserved unit */
export async function reserveUnit(
  redis: RedisClient,
  principal: Principal,
  idempotency?: Idempotency,
): Promise<string> {
  const admissionId = randomUUID();
  const item = { index: 0, product: 'livenessVerification', group: 'livenessDetection' } as const;
  const now = new Date();
  const { mode, keyId } = principal;
  const [month, day] = [monthOf(now.getTime()), now.getUTCDate()];
  const admission = { admissionId, operations: 1, items: [item], leaseMs: 60_000, idempotency };
  const reservation = { ...item, mode, keyId, month, day };
  const { states } = await new RedisMeter(redis).admit(principal, admission, [reservation]);
  expect(states).toEqual(['reserved']);
  return admissionId;
}

export const creationOf = (
  { accountId, mode, keyId }: Principal,
  admissionId: string,
  more: Partial<NewSession> = {},
): Creation => ({
  admissionId,
  maxOpen: 100,
  maxBytes: 1e9,
  session: {
    accountId,
    mode,
    keyId,
    id: `ses_${randomUUID()}`,
    maxAttempts: 3,
    dataKey: 'sealed key',
    details: 'sealed details',
    lifetimeMs: hour,
    retentionMs: 2 * hour,
    reference: Buffer.from([0, 255, 1, 254]),
    ...more,
  },
});

export async function createSession(
  redis: RedisClient,
  principal: Principal,
  more: Partial<NewSession> = {},
): Promise<SessionAddress> {
  const creation = creationOf(principal, await reserveUnit(redis, principal), more);
  expect(await new RedisSessionStore(redis).create(creation)).toMatchObject({ outcome: 'created' });
  return addressOf(creation.session);
}
