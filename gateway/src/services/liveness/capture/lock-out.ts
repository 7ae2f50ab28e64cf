/**
 * Locks out who fails again and again: the failed checks of a device, and of a network address, are counted for each
 * account, and after so many within a window no attempt begins, and none is judged, until the lock-out has passed. A
 * device can say that it is another one, which is why addresses are counted as well, with a higher limit since many
 * people may share one.
 */
import limits from '@presenza/contract/limits.json';
import { AppError } from '../../../errors';
import { sourceOf } from '../../keys/addresses';
import { hashKey } from '../../keys/api-key';
import type { SessionState } from '../session/session';

export interface LockOutStore {
  /** The latest end of a lock-out of these sources, milliseconds since 1970; undefined when none is locked. */
  lockedUntil(accountId: string, sources: readonly string[]): Promise<number | undefined>;
  /** One with the same id counts once. */
  addFailure(accountId: string, source: string, failure: CountedFailure): Promise<void>;
}

export interface CountedFailure {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Failures within the window that lock it. */
  readonly limit: number;
  readonly windowMs: number;
  readonly lockoutMs: number;
}

export interface LockOutServices {
  readonly store: LockOutStore;
  /** Under which ids and addresses are hashed: neither is stored. */
  readonly secret: string;
  /** Failures of one device within the window that lock it out. */
  readonly failures: number;
  readonly windowMs: number;
  readonly lockoutMs: number;
  readonly now: () => number;
}

/** Where an attempt comes from, as keyed hashes. */
export interface Origin {
  readonly device: string;
  readonly network: string;
}

/** Whose attempt, and where it comes from, as its session recorded it. */
export type Source = Pick<SessionState, 'accountId' | 'attemptId' | 'device' | 'network'>;

const { limit, limitPerAddress } = limits.liveness.failedAttempts;
/** An address may have as many times more failures than a device. */
const devicesPerAddress = limitPerAddress / limit;

export class LockOut {
  constructor(private readonly services: LockOutServices) {}

  /** @param address of the client; of IPv6 its /64 counts. */
  originOf(accountId: string, deviceId: string, address: string): Origin {
    const hash = (kind: string, text: string) =>
      hashKey(`liveness ${kind} ${accountId} ${text}`, this.services.secret);
    return { device: hash('device', deviceId), network: hash('network', sourceOf(address)) };
  }

  /** @throws AppError RATE_LIMIT_EXCEEDED while the device or the address is locked out; SERVICE_UNAVAILABLE */
  async check(source: Source): Promise<void> {
    const until = await this.lockedUntil(source);
    if (until === undefined) return;
    const retryAfterSeconds = Math.ceil((until - this.services.now()) / 1_000);
    throw new AppError('RATE_LIMIT_EXCEEDED', { reason: 'livenessAttempts', retryAfterSeconds });
  }

  /** Counts the failed check of a session's attempt, once. */
  async count({ accountId, attemptId = '', device, network }: Source): Promise<void> {
    const { store, failures, windowMs, lockoutMs, now } = this.services;
    const failure = { id: attemptId, at: now(), windowMs, lockoutMs };
    await Promise.all([
      device && store.addFailure(accountId, device, { ...failure, limit: failures }),
      network && store.addFailure(accountId, network, { ...failure, limit: devicesPerAddress * failures }),
    ]);
  }

  /** Until when where it comes from is locked out, milliseconds since 1970; undefined where it is not. */
  async lockedUntil({ accountId, device, network }: Source): Promise<number | undefined> {
    const { store, now } = this.services;
    const sources = [device, network].flatMap((source) => source || []);
    const until = sources.length > 0 ? await store.lockedUntil(accountId, sources) : undefined;
    return until !== undefined && until > now() ? until : undefined;
  }
}
