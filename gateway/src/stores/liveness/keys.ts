/** Where sessions lie: all of an account in its slot, beside its counters. */
import brand from '@presenza/contract/brand.json';
import type { SessionAddress } from '../../services/liveness/session/session-store';
import { accountKey } from '../account-key';

/** Everything of one session; whatever is added here is erased with it. */
export const sessionKeys = ({ accountId, sessionId }: SessionAddress) => {
  const session = accountKey(accountId, `session:${sessionId}`);
  return {
    /** Hash: the record. */
    session,
    /** The reference picture, sealed. */
    reference: `${session}:reference`,
    /** Hash of the running attempt. */
    attempt: `${session}:attempt`,
    /** Hash or list of its frames, sealed. */
    frames: `${session}:frames`,
  };
};

/** Sorted set: sessions of an account that have not ended, by when somebody has to act. */
export const dueKey = (accountId: string) => accountKey(accountId, 'sessions:due');
/** Sorted set: all sessions of an account that are kept, by when they were created. */
export const sessionsKey = (accountId: string) => accountKey(accountId, 'sessions');
/**
 * Hash: bytes that each session of an account holds, by its id; beside them `total`, and `most`, which they may hold
 * together.
 */
export const heldKey = (accountId: string) => accountKey(accountId, 'sessions:held');
/** Stream: events that were not handed on yet, with the fields id, session, type and at. */
export const outboxKey = (accountId: string) => accountKey(accountId, 'outbox');

/** Sorted set, of no account: those that may have open sessions or events in their outbox, by the last creation. */
export const accountsKey = `${brand.slug}:session-accounts`;
/** Held by the gateway whose turn it is to look for sessions that are due. */
export const sweeperKey = `${brand.slug}:session-sweeper`;
