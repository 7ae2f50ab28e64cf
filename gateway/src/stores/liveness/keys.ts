/** Keys of liveness sessions. All keys of an account are in its slot of a cluster. */
import brand from '@presenza/contract/brand.json';
import limits from '@presenza/contract/limits.json';
import type { SessionAddress } from '../../services/liveness/session/session-store';
import { accountKey } from '../account-key';

/** All data of one session. Erasing the session deletes these keys. */
export const sessionKeys = ({ accountId, sessionId }: SessionAddress) => {
  const session = accountKey(accountId, `session:${sessionId}`);
  return {
    /** Hash: the record. */
    session,
    /** The sealed reference image. */
    reference: `${session}:reference`,
    /** Hash: the running attempt. */
    attempt: `${session}:attempt`,
    /** Hash: its sealed frames by number. */
    frames: `${session}:frames`,
    /** The fingerprints of frames that it added to the set of its hour, one behind the other. */
    remembered: `${session}:remembered`,
  };
};

/** Sorted set: open sessions of an account, by when the sweep must act. */
export const dueKey = (accountId: string) => accountKey(accountId, 'sessions:due');
/** Sorted set: all stored sessions of an account, by their creation. */
export const sessionsKey = (accountId: string) => accountKey(accountId, 'sessions');
const hourMs = 3_600_000;
const retentionMs = 1_000 * limits.liveness.dataRetentionSeconds;

/** Sets of fingerprints of judged frames: one for each hour in which sessions were created. */
export const frameHourKey = (accountId: string, createdAt: number) =>
  accountKey(accountId, `frames:${Math.floor(createdAt / hourMs)}`);
/** All of these sets that may exist. */
export const frameHourKeys = (accountId: string, now: number) =>
  Array.from({ length: 1 + retentionMs / hourMs }, (_, hours) =>
    frameHourKey(accountId, now - hours * hourMs),
  );
/** When the set of an hour ends: not after any of its sessions. Milliseconds since 1970. */
export const frameHourEnds = (createdAt: number) => createdAt - (createdAt % hourMs) + retentionMs;

/** Hash: bytes of each session of an account by its id, their `total`, and `most`, the limit on the total. */
export const heldKey = (accountId: string) => accountKey(accountId, 'sessions:held');
/** Stream: unpublished events with the fields id, session, type, at and mode. */
export const outboxKey = (accountId: string) => accountKey(accountId, 'outbox');
/** Hash: the account's events by id, each as time, mode, type and session with spaces between them. */
export const eventsKey = (accountId: string) => accountKey(accountId, 'events');
/** Sorted set: the ids of these events by time. */
export const eventOrderKey = (accountId: string) => accountKey(accountId, 'events:order');

/** Sorted set: accounts that may have open sessions or unpublished events, by their last creation. */
export const accountsKey = `${brand.slug}:session-accounts`;
/** Lease of the gateway that sweeps due sessions. */
export const sweeperKey = `${brand.slug}:session-sweeper`;

/** Hash: the sealed audit image of a session. It outlives the session. */
export const auditImageKey = ({ accountId, sessionId }: SessionAddress) =>
  accountKey(accountId, `session:${sessionId}:audit`);
/** Sorted set: sessions of an account with an audit image, by the end of the image. */
export const auditEndsKey = (accountId: string) => accountKey(accountId, 'audit-images');
/** Hash: bytes of each audit image of an account by its session, and their `total`. */
export const auditHeldKey = (accountId: string) => accountKey(accountId, 'audit-images:held');
