/**
 * The store of liveness sessions. Each change is atomic: it checks the status, changes it, writes the event and settles
 * the unit, or does nothing. A change that is sent twice with the same id takes effect once and returns the same result.
 * Every method throws ApiError SERVICE_UNAVAILABLE if the store is unavailable.
 */

import type { Idempotency } from '../../metering/metering-store';
import type { Page, PageOf, TimeRange } from '../../pages';
import type { SealedDetails, SessionRecord, SessionState } from './session';
import type { SessionStatus } from './states';

export interface SessionAddress {
  readonly accountId: string;
  readonly sessionId: string;
}

export const addressOf = ({ accountId, id }: Pick<SessionState, 'accountId' | 'id'>): SessionAddress => ({
  accountId,
  sessionId: id,
});

/** The result of a change. */
export interface Changed {
  /** False if the status, the attempt or the time did not allow the change. */
  readonly changed: boolean;
  /** The session after the change. */
  readonly session: SessionRecord;
}

export type NewSession = Pick<
  SessionRecord,
  'accountId' | 'id' | 'mode' | 'keyId' | 'maxAttempts' | 'dataKey' | 'details'
> & {
  readonly stepMs?: number;
  readonly lifetimeMs: number;
  readonly retentionMs: number;
  /** The reference image, sealed. */
  readonly reference?: Buffer;
};

export interface Creation {
  readonly session: NewSession;
  /** The admission whose reserved unit becomes the session's. */
  readonly admissionId: string;
  /** Limit on the account's open sessions. */
  readonly maxOpen: number;
  /** Limit on the memory of all the account's sessions. */
  readonly maxBytes: number;
  readonly idempotency?: Idempotency | undefined;
}

/** The session that an idempotency key created, which may be erased by now. */
export interface EarlierSession {
  readonly sessionId: string;
  /** When it expires or expired, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * `repeated`: the idempotency key created the given session before; `full`: too many sessions are open; `overBytes`: the
 * sessions would use too much memory; `unreserved`: the operation has no reserved unit.
 */
export type Created =
  | { readonly outcome: 'created'; readonly session: SessionRecord }
  | { readonly outcome: 'repeated'; readonly earlier: EarlierSession }
  | { readonly outcome: 'full' | 'overBytes' | 'unreserved' };

/** Selects sessions by their creation, mode and status. */
export interface SessionFilter extends TimeRange {
  readonly mode?: SessionRecord['mode'];
  readonly status?: SessionStatus;
}

/** The result of a check. */
export interface Judgment extends SessionAddress {
  readonly attemptId: string;
  /** `Session.explanation`, sealed. */
  readonly explanation: string;
}

export interface SessionStore {
  create(creation: Creation): Promise<Created>;
  find(address: SessionAddress): Promise<SessionRecord | undefined>;
  /** The session that an idempotency key created; undefined for an unknown key. */
  findCreated(
    accountId: string,
    mode: SessionRecord['mode'],
    key: string,
  ): Promise<(EarlierSession & { readonly fingerprint: string }) | undefined>;
  /**
   * When the next open session of a mode may return its unit, in milliseconds since 1970; undefined if none holds one.
   * Looks at the sessions that end first.
   */
  nextReturn(accountId: string, mode: SessionRecord['mode']): Promise<number | undefined>;
  /** The sealed reference image; undefined if the session has none or has ended. */
  findReference(address: SessionAddress): Promise<Buffer | undefined>;

  /** All changes return undefined if the session does not exist. No attempt can begin between `start` and `clearUndecided`. */
  start(address: SessionAddress, eventId: string): Promise<Changed | undefined>;
  /** @param redirect as `SessionRecord.redirect`. */
  clearUndecided(address: SessionAddress, redirect?: string): Promise<void>;
  /**
   * Replaces the running attempt and its frames by a new attempt.
   * @param begin.maxBegun limit on the attempts of a session.
   */
  beginAttempt(
    address: SessionAddress,
    begin: {
      readonly attemptId: string;
      /** Keyed hashes of the device, of the client's address, and of the user, reference image and key. */
      readonly device: string;
      readonly network?: string;
      readonly subjects?: readonly string[];
      /** Version and language of the consent notice. */
      readonly notice?: string | undefined;
      readonly locale?: string | undefined;
      readonly maxBegun: number;
      /** Initial fields of the attempt: at least one. */
      readonly fields: Readonly<Record<string, string>>;
    },
  ): Promise<Changed | undefined>;
  /**
   * Begins the check of an attempt, or takes it over from a checker whose lease has ended.
   * @param check.checker a random id for each check.
   */
  beginCheck(
    address: SessionAddress,
    check: { readonly attemptId: string; readonly checker: string; readonly leaseMs: number },
  ): Promise<Changed | undefined>;
  /** Ends the session with a verdict, counts the unit, and erases reference image, attempt and frames. */
  finish(
    judgment: Judgment & {
      readonly status: 'completed' | 'failed';
      /** `SessionOutcome`, sealed. */
      readonly outcome: string;
      readonly eventId: string;
    },
  ): Promise<Changed | undefined>;
  /** Returns a failed check to `started` and erases attempt and frames. */
  retry(judgment: Judgment): Promise<Changed | undefined>;
  /** Records that the page was closed. The session ends after the grace period unless the user rejoins. */
  leave(address: SessionAddress, graceMs: number): Promise<Changed | undefined>;
  /** Records that the user is back. Does nothing for a session that nobody left. */
  rejoin(address: SessionAddress): Promise<Changed | undefined>;
  /** Cancels a session whose grace period has passed. */
  abandon(address: SessionAddress, eventId: string): Promise<Changed | undefined>;
  cancel(address: SessionAddress, eventId: string): Promise<Changed | undefined>;
  /** Expires a session whose time has passed. */
  expire(address: SessionAddress, eventId: string): Promise<Changed | undefined>;
  /**
   * Deletes all data of a session and its key, and cancels it if it has not ended. Refused during a check.
   * @returns the status before.
   */
  erase(
    address: SessionAddress,
    eventId: string,
  ): Promise<{ readonly erased: boolean; readonly status: SessionStatus } | undefined>;
  /** Erases the key of a session whose erasure was cut off after its data was deleted. Does nothing for other sessions. */
  resumeErasure(address: SessionAddress): Promise<void>;

  /**
   * Newest first. A page may be shorter than its limit and still have a next one.
   * @param accepts selects sessions by their sealed details.
   */
  list(
    accountId: string,
    page: PageOf & SessionFilter,
    accepts?: (session: SealedDetails) => boolean,
  ): Promise<Page<SessionRecord>>;
  /** Sessions of all accounts whose time has passed or whose checker's lease has ended. */
  due(): AsyncIterable<SessionAddress>;
  /** @returns whether this process may sweep due sessions; no other process may for this long. */
  acquireLease(ms: number): Promise<boolean>;
}
