import { AppError } from '../errors';
import { hashKey } from './api-key';
import type { FailedAttempts } from './failed-attempts';
import type { KeyCache } from './key-cache';
import type { Principal } from './keys';

/** Finds the principal behind a key, quickly for good keys and only so often for bad ones. */
export class Authenticator {
  constructor(
    private readonly cache: KeyCache,
    private readonly attempts: FailedAttempts,
    private readonly secret: string,
  ) {}

  /**
   * @param key as it was sent: nothing about it is judged before the look-up.
   * @param address of the client.
   * @throws AppError RATE_LIMIT_EXCEEDED when too many attempts from the address failed, SERVICE_UNAVAILABLE
   */
  async authenticate(key: string, address: string): Promise<Principal | undefined> {
    const hash = hashKey(key, this.secret);
    if (!this.cache.has(hash)) refuseFor(this.attempts.blockedMs(address));
    const principal = await this.cache.find(hash);
    if (!principal) refuseFor(await this.attempts.add(address));
    return principal;
  }
}

function refuseFor(ms: number): void {
  if (ms <= 0) return;
  const retryAfterSeconds = Math.ceil(ms / 1000);
  throw new AppError('RATE_LIMIT_EXCEEDED', { reason: 'authentication', retryAfterSeconds });
}
