import { AppError } from '../../errors';
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
   * @throws AppError RATE_LIMIT_EXCEEDED after too many failed attempts from the address, which then also limits how
   *   often a valid key can be looked up; SERVICE_UNAVAILABLE
   */
  async authenticate(key: string, address: string): Promise<Principal | undefined> {
    const hash = hashKey(key, this.secret);
    const principal = await (this.cache.has(hash) ? this.cache.find(hash) : this.lookUp(hash, address));
    if (!principal) refuseFor(await this.attempts.add(address));
    return principal;
  }

  /** Valid callers may share an address with failed attempts. Look-ups that need no round trip are never rejected. */
  private lookUp(hash: string, address: string): Promise<Principal | undefined> {
    const find = () => this.cache.find(hash);
    if (this.cache.isBad(hash) || this.cache.isAsked(hash)) return find();
    const blockedMs = this.attempts.blockedMs(address);
    if (blockedMs > 0 && !this.attempts.mayLookUp(address)) refuseFor(blockedMs);
    return this.attempts.during(address, find);
  }
}

function refuseFor(ms: number): void {
  if (ms <= 0) return;
  const retryAfterSeconds = Math.ceil(ms / 1000);
  throw new AppError('RATE_LIMIT_EXCEEDED', { reason: 'authentication', retryAfterSeconds });
}
