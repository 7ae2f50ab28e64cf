/**
 * Locks out the sources of too many failed checks: for a while, their attempts neither begin nor get a verdict. Failures
 * count per account. An attempt counts as failed from the moment when it asks for a turn until it passes, so that nobody
 * gains by abandoning it.
 *
 * A client chooses its device id and its key, so these only stop users who do not try to evade. The account knows the
 * user and the reference image, which no client can change. Addresses count with a higher limit, because many users may
 * share one: a carrier puts thousands of phones behind one IPv4 address, and more behind its /24, so an address counts
 * alone. With IPv6 a customer has a /56 (RIPE-690) and can change its /64 at will.
 */
import { createHash } from 'node:crypto';
import type { CaptureKey } from '@presenza/contract/client/types.d.ts';
import limits from '@presenza/contract/limits.json';
import { AppError } from '../../../errors';
import { networkOf } from '../../keys/addresses';
import { hashKey } from '../../keys/api-key';
import type { Session, SessionState } from '../session/session';

export interface LockoutStore {
  /** The latest end of a lockout of these sources, in milliseconds since 1970; undefined if none is locked out. */
  lockedUntil(accountId: string, sources: readonly string[]): Promise<number | undefined>;
  /**
   * Adds a failure; failures with the same id count once.
   * @param failure.id undefined to add none, but to lock out the source if it has reached the limit.
   */
  addFailure(accountId: string, source: string, failure: CountedFailure): Promise<void>;
  /** Adds a failure without locking out its source yet. */
  addPending(accountId: string, source: string, failure: CountedFailure): Promise<void>;
  /** Removes the failure of an attempt that passed. */
  removeFailure(accountId: string, sources: readonly string[], id: string): Promise<void>;
}

export interface CountedFailure {
  readonly id?: string;
  /** Now, in milliseconds since 1970. */
  readonly at: number;
  /** When it counts; at once by default. */
  readonly from?: number;
  /** Failures within the window that cause a lockout. */
  readonly limit: number;
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
  /** Of the user, the reference image and the key, as far as there are any. */
  readonly subjects: readonly string[];
}

export interface OriginParts {
  readonly deviceId: string;
  /** Network address of the client. */
  readonly address: string;
  /** Public key of the attempt. */
  readonly publicKey?: CaptureKey | undefined;
  readonly reference?: Buffer | undefined;
}

/** The account and origin of an attempt, from its session. */
export type Source = Pick<SessionState, 'accountId' | 'attemptId' | 'device' | 'network' | 'subjects'>;

const { limit, limitPerAddress } = limits.liveness.failedAttempts;
/** How many times more failures an address may have than a device or a user. */
const devicesPerAddress = limitPerAddress / limit;

/** Prefix of the IPv6 addresses of one customer. */
const customerBits = 56;

const sourcesOf = ({ device, network, subjects = [] }: Source): string[] =>
  [device, network, ...subjects].flatMap((source) => source || []);

export class Lockout {
  constructor(private readonly services: LockoutServices) {}

  /** The user is the one that the account names in the field `userId` of the session's metadata. */
  originOf(
    { accountId, metadata }: Pick<Session, 'accountId' | 'metadata'>,
    { deviceId, address, publicKey, reference }: OriginParts,
  ): Origin {
    const hash = (kind: string, text: string) =>
      hashKey(`liveness ${kind} ${accountId} ${text}`, this.services.secret);
    const userId = metadata?.userId;
    return {
      device: hash('device', deviceId),
      network: hash('network', networkOf(address, customerBits)),
      subjects: [
        ...(typeof userId === 'string' || typeof userId === 'number' ? [hash('user', String(userId))] : []),
        ...(reference ? [hash('reference', createHash('sha256').update(reference).digest('hex'))] : []),
        ...(publicKey ? [hash('key', `${publicKey.x} ${publicKey.y}`)] : []),
      ],
    };
  }

  /**
   * Checks whether an attempt may begin: abandoned ones count as well.
   * @throws as `check`
   */
  async checkStart(source: Source): Promise<void> {
    await this.addTo(source, (failure, one) =>
      this.services.store.addFailure(source.accountId, one, failure),
    );
    await this.check(source);
  }

  /** @throws AppError RATE_LIMIT_EXCEEDED during a lockout of one of the sources; SERVICE_UNAVAILABLE */
  async check(source: Source): Promise<void> {
    const until = await this.lockedUntil(source);
    if (until === undefined) return;
    const retryAfterSeconds = Math.ceil((until - this.services.now()) / 1_000);
    throw new AppError('RATE_LIMIT_EXCEEDED', { reason: 'livenessAttempts', retryAfterSeconds });
  }

  /** Counts the failed check of an attempt once. */
  async count(source: Source): Promise<void> {
    const { accountId, attemptId: id = '' } = source;
    await this.addTo(source, (failure, one) =>
      this.services.store.addFailure(accountId, one, { ...failure, id }),
    );
  }

  /**
   * Counts an attempt that asks for its first turn, until it passes. At an address it counts once its time is over, because
   * many users of one address may run attempts at the same time.
   */
  async open(source: Source): Promise<void> {
    const { accountId, attemptId: id = '', network } = source;
    const { store, attemptMs } = this.services;
    await this.addTo(source, (failure, one) => {
      const from = failure.at + (one === network ? attemptMs : 0);
      return store.addPending(accountId, one, { ...failure, id, from });
    });
  }

  /** Stops counting an attempt that passed. */
  async pass(source: Source): Promise<void> {
    const { accountId, attemptId = '' } = source;
    const sources = sourcesOf(source);
    if (sources.length > 0) await this.services.store.removeFailure(accountId, sources, attemptId);
  }

  private async addTo(
    source: Source,
    add: (failure: CountedFailure, source: string) => Promise<void>,
  ): Promise<void> {
    const { failures, windowMs, lockoutMs, now } = this.services;
    const failure = { at: now(), windowMs, lockoutMs, limit: failures };
    await Promise.all(
      sourcesOf(source).map((one) =>
        add(one === source.network ? { ...failure, limit: devicesPerAddress * failures } : failure, one),
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
