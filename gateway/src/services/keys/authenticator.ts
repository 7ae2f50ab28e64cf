import { ApiError } from '../../errors';
import { hashKey } from './api-key';
import type { FailedAttempts } from './failed-attempts';
import type { KeyCache } from './key-cache';
import type { Principal } from './keys';

/** Finds the principal of a key: quickly for valid keys, at a limited rate for invalid ones. */
export class Authenticator {
  constructor(
    private readonly cache: KeyCache,
    private readonly attempts: FailedAttempts,
    private readonly secret: string,
  ) {}

  /**
   * @param key as it was sent; nothing is checked before the look-up.
   * @param address of the client.
   * @throws ApiError RATE_LIMIT_EXCEEDED for an invalid key after too many of them from the address. A valid key is never
   *   refused: its caller may share the address with anyone. SERVICE_UNAVAILABLE
   */
  async authenticate(key: string, address: string): Promise<Principal | undefined> {
    const principal = await this.cache.find(hashKey(key, this.secret));
    if (!principal) refuseFor(await this.attempts.add(address));
    return principal;
  }
}

function refuseFor(ms: number): void {
  if (ms <= 0) return;
  const retryAfterSeconds = Math.ceil(ms / 1000);
  throw new ApiError('RATE_LIMIT_EXCEEDED', { reason: 'authentication', retryAfterSeconds });
}
