/**
 * Locks out devices and network addresses with too many failed checks: for a while, their attempts neither begin nor get
 * a verdict. Failures count per account. A device can change its id, so addresses count as well, with a higher limit
 * because many users may share one.
 */
import limits from '@presenza/contract/limits.json';
import { AppError } from '../../../errors';
import { sourceOf } from '../../keys/addresses';
import { hashKey } from '../../keys/api-key';
import type { SessionState } from '../session/session';

export interface LockoutStore {
  /** The latest end of a lockout of these sources, in milliseconds since 1970; undefined if none is locked out. */
  lockedUntil(accountId: string, sources: readonly string[]): Promise<number | undefined>;
  /** Failures with the same id count once. */
  addFailure(accountId: string, source: string, failure: CountedFailure): Promise<void>;
}

export interface CountedFailure {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
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
  readonly now: () => number;
}

/** The origin of an attempt, as keyed hashes. */
export interface Origin {
  readonly device: string;
  readonly network: string;
}

/** The account and origin of an attempt, from its session. */
export type Source = Pick<SessionState, 'accountId' | 'attemptId' | 'device' | 'network'>;

const { limit, limitPerAddress } = limits.liveness.failedAttempts;
/** How many times more failures an address may have than a device. */
const devicesPerAddress = limitPerAddress / limit;

export class Lockout {
  constructor(private readonly services: LockoutServices) {}

  /** @param address of the client; IPv6 addresses count by their /64. */
  originOf(accountId: string, deviceId: string, address: string): Origin {
    const hash = (kind: string, text: string) =>
      hashKey(`liveness ${kind} ${accountId} ${text}`, this.services.secret);
    return { device: hash('device', deviceId), network: hash('network', sourceOf(address)) };
  }

  /** @throws AppError RATE_LIMIT_EXCEEDED during a lockout of the device or the address; SERVICE_UNAVAILABLE */
  async check(source: Source): Promise<void> {
    const until = await this.lockedUntil(source);
    if (until === undefined) return;
    const retryAfterSeconds = Math.ceil((until - this.services.now()) / 1_000);
    throw new AppError('RATE_LIMIT_EXCEEDED', { reason: 'livenessAttempts', retryAfterSeconds });
  }

  /** Counts the failed check of an attempt once. */
  async count({ accountId, attemptId = '', device, network }: Source): Promise<void> {
    const { store, failures, windowMs, lockoutMs, now } = this.services;
    const failure = { id: attemptId, at: now(), windowMs, lockoutMs };
    await Promise.all([
      device && store.addFailure(accountId, device, { ...failure, limit: failures }),
      network && store.addFailure(accountId, network, { ...failure, limit: devicesPerAddress * failures }),
    ]);
  }

  /** When the lockout of an origin ends, in milliseconds since 1970; undefined without a lockout. */
  async lockedUntil({ accountId, device, network }: Source): Promise<number | undefined> {
    const { store, now } = this.services;
    const sources = [device, network].flatMap((source) => source || []);
    const until = sources.length > 0 ? await store.lockedUntil(accountId, sources) : undefined;
    return until !== undefined && until > now() ? until : undefined;
  }
}
