import { AppError } from '../../errors';
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
   * @throws AppError RATE_LIMIT_EXCEEDED when too many attempts from the address failed: then a key that works is
   *   told from those that do not only as often as look-ups are allowed; SERVICE_UNAVAILABLE
   */
  async authenticate(key: string, address: string): Promise<Principal | undefined> {
    const hash = hashKey(key, this.secret);
    const principal = await (this.cache.has(hash) ? this.cache.find(hash) : this.lookUp(hash, address));
    if (!principal) refuseFor(await this.attempts.add(address));
    return principal;
  }

  /** Many may share the address with one who fails: their keys still get in, and what asks nobody is not refused. */
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
