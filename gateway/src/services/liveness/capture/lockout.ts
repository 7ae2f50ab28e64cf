/**
 * Locks out the sources of too many failed checks: for a while, their attempts neither begin nor get a verdict. Failures
 * count per account and mode. An attempt counts as failed from the moment when it asks for a turn until it passes, so that
 * nobody gains by abandoning it, and a source that has no failures left gets no further turn, so that nobody gains by many
 * attempts at the same time. An attempt that ends without a turn counts only at its device and address.
 *
 * A client chooses its device id and its key, so these only stop users who do not try to evade. The account knows the
 * user and the reference image, which no client can change. Addresses count with a higher limit, because many users may
 * share one: a carrier puts thousands of phones behind one IPv4 address, and more behind its /24, so an address counts
 * alone. With IPv6 a customer has a /56 (RIPE-690) and can change its /64 at will.
 */
import type { CaptureKey } from '@presenza/contract/client/types.d.ts';
import limits from '@presenza/contract/limits.json';
import { ApiError } from '../../../errors';
import { networkOf } from '../../../formats/addresses';
import { hashKey } from '../../keys/api-key';
import type { Session, SessionState } from '../session/session';

export interface LockoutStore {
  /** The latest end of a lockout of these sources, in milliseconds since 1970; undefined if none is locked out. */
  lockedUntil(accountId: string, sources: readonly string[]): Promise<number | undefined>;
  /**
   * Adds a failed attempt, and locks out a source that has reached the limit. An attempt counts once.
   * @param failure.id undefined to add none.
   */
  addFailure(accountId: string, source: string, failure: CountedAttempt): Promise<boolean>;
  /**
   * Adds a running attempt, which counts as failed, without locking out its source.
   * @returns false, and adds nothing, if the source is locked out or has too many attempts.
   */
  addRunning(accountId: string, source: string, attempt: CountedAttempt): Promise<boolean>;
  /** Removes an attempt that passed. */
  removeAttempt(accountId: string, sources: readonly string[], id: string): Promise<void>;
}

export interface CountedAttempt {
  readonly id?: string;
  /** Now, in milliseconds since 1970. */
  readonly at: number;
  /** When it counts; at once by default. */
  readonly from?: number;
  /** Failures within the window that cause a lockout. */
  readonly limit: number;
  /** Failed and running attempts of the source. */
  readonly most: number;
  readonly windowMs: number;
  readonly lockoutMs: number;
}

export interface LockoutServices {
  readonly store: LockoutStore;
  /** Key of the hashes of ids and addresses, which are never stored themselves. */
  readonly secret: string;
  /** Failures of one device within the window that cause a lockout. */
  readonly failures: number;
  readonly windowMs: number;
  readonly lockoutMs: number;
  /** How long an attempt may run. */
  readonly attemptMs: number;
  readonly now: () => number;
}

/** The origin of an attempt, as keyed hashes. */
export interface Origin {
  readonly device: string;
  readonly network: string;
  /** Ids of the user, the reference image and the key, as far as there are any. */
  readonly subjects: readonly string[];
}

export interface OriginParts {
  readonly deviceId: string;
  /** Network address of the client. */
  readonly address: string;
  /** Public key of the attempt. */
  readonly publicKey?: CaptureKey | undefined;
}

/** The account and origin of an attempt, from its session. */
export type Source = Pick<SessionState, 'accountId' | 'attemptId' | 'device' | 'network' | 'subjects'>;

/**
 * The subjects that an attempt counts against. An attempt without a turn cannot pass, so it does not count against the user or
 * the reference image. Otherwise a stranger could lock a person out with empty captures.
 */
export const countedSources = (source: Source, askedTurn: boolean): Source =>
  askedTurn ? source : { ...source, subjects: [] };

const { limit, limitPerAddress } = limits.liveness.failedAttempts;
/** How many times more failures an address may have than a device or a user. */
const devicesPerAddress = limitPerAddress / limit;
/** Bounds the attempts that run at one address, and the memory that they take. */
const runningPerFailure = 20;

/** Prefix of the IPv6 addresses of one customer. */
const customerBits = 56;

const sourcesOf = ({ device, network, subjects = [] }: Source): string[] =>
  [device, network, ...subjects].flatMap((source) => source || []);

/** Users who are not named must not share a lockout. */
const nameOf = (userId: unknown): string =>
  typeof userId === 'string' || typeof userId === 'number' ? String(userId).trim() : '';

export class Lockout {
  constructor(private readonly services: LockoutServices) {}

  /** The user is the one that the account names in the field `userId` of the session's metadata. */
  originOf(
    {
      accountId,
      mode,
      metadata,
      referenceHash,
    }: Pick<Session, 'accountId' | 'mode' | 'metadata' | 'referenceHash'>,
    { deviceId, address, publicKey }: OriginParts,
  ): Origin {
    const hash = (kind: string, text: string) =>
      hashKey(`liveness ${kind} ${accountId} ${mode} ${text}`, this.services.secret);
    const userId = nameOf(metadata?.userId);
    return {
      device: hash('device', deviceId),
      network: hash('network', networkOf(address, customerBits)),
      subjects: [
        ...(userId ? [hash('user', userId)] : []),
        ...(referenceHash ? [hash('reference', referenceHash)] : []),
        ...(publicKey ? [hash('key', `${publicKey.x} ${publicKey.y}`)] : []),
      ],
    };
  }

  /**
   * Checks whether an attempt may begin: abandoned ones count as well.
   * @throws ApiError RATE_LIMIT_EXCEEDED during a lockout of one of the sources; SERVICE_UNAVAILABLE
   */
  async checkStart(source: Source): Promise<void> {
    await this.addTo(source, (failure, subject) =>
      this.services.store.addFailure(source.accountId, subject, failure),
    );
    await this.check(source);
  }

  private async check(source: Source): Promise<void> {
    const until = await this.lockedUntil(source);
    if (until !== undefined) throw lockedFor(until - this.services.now());
  }

  /** Counts an attempt that failed, once. */
  async fail(source: Source): Promise<void> {
    const { accountId, attemptId: id = '' } = source;
    await this.addTo(source, (failure, subject) =>
      this.services.store.addFailure(accountId, subject, { ...failure, id }),
    );
  }

  /**
   * Admits an attempt to its first turn, and counts it until it passes. Call it again before the verdict: the attempt may
   * have left the window since, or its sources may be locked out. A refused attempt still counts at its other sources. At
   * an address it counts once its time is over, because many users of one address may run attempts at the same time.
   * @throws ApiError RATE_LIMIT_EXCEEDED during a lockout, or if one of the sources has no failures left;
   * SERVICE_UNAVAILABLE
   */
  async admit(source: Source): Promise<void> {
    const { accountId, attemptId: id = '', network } = source;
    const { store, attemptMs } = this.services;
    const counts = await this.addTo(source, (attempt, subject) => {
      const from = attempt.at + (subject === network ? attemptMs : 0);
      return store.addRunning(accountId, subject, { ...attempt, id, from });
    });
    if (counts.every(Boolean)) return;
    await this.check(source);
    throw lockedFor(attemptMs);
  }

  /** Stops counting an attempt that passed. */
  async pass(source: Source): Promise<void> {
    const { accountId, attemptId = '' } = source;
    await this.services.store.removeAttempt(accountId, sourcesOf(source), attemptId);
  }

  private addTo(
    source: Source,
    add: (attempt: CountedAttempt, source: string) => Promise<boolean>,
  ): Promise<boolean[]> {
    const { failures: limit, windowMs, lockoutMs, now } = this.services;
    const attempt = { at: now(), windowMs, lockoutMs };
    const atAddress = limit * devicesPerAddress;
    return Promise.all(
      sourcesOf(source).map((subject) =>
        subject === source.network
          ? add({ ...attempt, limit: atAddress, most: runningPerFailure * atAddress }, subject)
          : add({ ...attempt, limit, most: limit }, subject),
      ),
    );
  }

  /** When the lockout of an origin ends, in milliseconds since 1970; undefined without a lockout. */
  async lockedUntil(source: Source): Promise<number | undefined> {
    const { store, now } = this.services;
    const { accountId } = source;
    const sources = sourcesOf(source);
    const until = sources.length > 0 ? await store.lockedUntil(accountId, sources) : undefined;
    return until !== undefined && until > now() ? until : undefined;
  }
}

const lockedFor = (ms: number) =>
  new ApiError('RATE_LIMIT_EXCEEDED', {
    reason: 'livenessAttempts',
    retryAfterSeconds: Math.ceil(ms / 1_000),
  });
