/**
 * What liveness needs of a store. Each change is one step that looks at the status, changes it, writes the event and
 * settles the unit, or does nothing at all. Sent twice with the same id of the change, it does its work once and
 * answers the same. Every method throws AppError SERVICE_UNAVAILABLE while the store is away.
 */
import type { Idempotency } from '../../metering/metering-store';
import type { SessionRecord, SessionState } from './session';
import type { SessionStatus } from './states';

/** Which session a change is about. */
export interface SessionAddress {
  readonly accountId: string;
  readonly sessionId: string;
}

export const addressOf = ({ accountId, id }: Pick<SessionState, 'accountId' | 'id'>): SessionAddress => ({
  accountId,
  sessionId: id,
});

/** How a change went; undefined where there is no such session. */
export interface Changed {
  /** Whether the change was made; when it was not, the status, the attempt or the time did not allow it. */
  readonly changed: boolean;
  /** As the session is now. */
  readonly session: SessionRecord;
}

export type NewSession = Pick<
  SessionRecord,
  'accountId' | 'id' | 'mode' | 'keyId' | 'attempts' | 'dataKey' | 'details'
> & {
  readonly lifetimeMs: number;
  readonly retentionMs: number;
  /** The reference picture, sealed. */
  readonly reference?: Buffer;
};

export interface Creation {
  readonly session: NewSession;
  /** The metered operation whose reserved unit the session takes over. */
  readonly operation: string;
  /** Sessions that the account may have open. */
  readonly most: number;
  /** Bytes that all sessions of the account may hold. */
  readonly mostBytes: number;
  readonly idempotency?: Idempotency | undefined;
  /** What was created under the idempotency key before and is erased by now. */
  readonly erased?: string | undefined;
}

/**
 * `created`; `repeated` where the idempotency key made a session before, whose id is given; `full` where too many are
 * open; `heavy` where all would hold too much; `unreserved` where the operation holds no unit any more.
 */
export type Created =
  | { readonly outcome: 'created'; readonly session: SessionRecord }
  | { readonly outcome: 'repeated'; readonly sessionId: string }
  | { readonly outcome: 'full' | 'heavy' | 'unreserved' };

/** What ends a check. */
export interface Judgement extends SessionAddress {
  readonly attemptId: string;
  /** As `Session.explanation`, sealed. */
  readonly explanation: string;
}

export interface SessionStore {
  create(creation: Creation): Promise<Created>;
  find(address: SessionAddress): Promise<SessionRecord | undefined>;
  /** What the idempotency key of a creation made; undefined where it is not known. */
  findCreated(
    accountId: string,
    mode: SessionRecord['mode'],
    key: string,
  ): Promise<{ readonly fingerprint: string; readonly sessionId: string } | undefined>;
  /** Sealed; undefined where there is none, or no longer. */
  findReference(address: SessionAddress): Promise<Buffer | undefined>;

  /** No attempt begins until `decided`. */
  start(address: SessionAddress, eventId: string): Promise<Changed | undefined>;
  decided(address: SessionAddress): Promise<void>;
  /**
   * Forgets the attempt that ran, with its frames, and keeps what is given of the new one, in the open.
   * @param begin.most attempts that may begin in all.
   */
  beginAttempt(
    address: SessionAddress,
    begin: {
      readonly attemptId: string;
      /** Keyed hashes of the device and of the client's address. */
      readonly device: string;
      readonly network?: string;
      /** Version of the notice that the person agreed to. */
      readonly notice?: string | undefined;
      readonly most: number;
      /** First contents of the attempt's own hash: at least one. */
      readonly fields: Readonly<Record<string, string>>;
    },
  ): Promise<Changed | undefined>;
  /**
   * Takes the attempt to be judged, also from somebody else whose lease has ended.
   * @param check.checker who judges: a random id for each check.
   */
  beginCheck(
    address: SessionAddress,
    check: { readonly attemptId: string; readonly checker: string; readonly leaseMs: number },
  ): Promise<Changed | undefined>;
  /** Completed or failed: the unit is counted, and reference, attempt and frames are erased. */
  finish(
    judgement: Judgement & {
      readonly status: 'completed' | 'failed';
      /** `SessionOutcome`, sealed. */
      readonly outcome: string;
      readonly eventId: string;
    },
  ): Promise<Changed | undefined>;
  /** Not passed, back to `started`: attempt and frames are erased. */
  retry(judgement: Judgement): Promise<Changed | undefined>;
  /** Notes that its page was closed, which ends it after so long unless somebody comes back. */
  leave(address: SessionAddress, graceMs: number): Promise<Changed | undefined>;
  /** Whoever left is back; also of a session that nobody has left. */
  comeBack(address: SessionAddress): Promise<Changed | undefined>;
  /** Cancels a session that was left for too long. */
  abandon(address: SessionAddress, eventId: string): Promise<Changed | undefined>;
  cancel(address: SessionAddress, eventId: string): Promise<Changed | undefined>;
  /** Only once its time has passed. */
  expire(address: SessionAddress, eventId: string): Promise<Changed | undefined>;
  /**
   * Cancels the session where it has not ended, and removes everything of it. Not while it is judged.
   * @returns the status that keeps it from being erased, or the one that it had.
   */
  erase(
    address: SessionAddress,
    eventId: string,
  ): Promise<{ readonly erased: boolean; readonly status: SessionStatus } | undefined>;

  /** Newest first. */
  list(accountId: string, most: number): Promise<SessionRecord[]>;
  /** Sessions whose time has passed, or whose check has lost its judge, of all accounts. */
  due(): AsyncIterable<SessionAddress>;
  /** @returns whether this process is the one to look for due sessions; no other is for so long. */
  takeTurn(ms: number): Promise<boolean>;
}
