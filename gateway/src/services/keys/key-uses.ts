/** Notes when keys are used, to the minute. Requests never wait for it, and a failure only makes the time older. */
import { LRUCache } from 'lru-cache';
import { bounds } from '../../bounds';
import type { Authenticator } from './authenticator';
import type { Principal } from './keys';

export interface KeyUseStore {
  /** @param now milliseconds since 1970 */
  noteUse(key: Pick<Principal, 'accountId' | 'keyId'>, now: number): Promise<void>;
}

const everyMs = 60_000;
/** Notes that wait for the store at once. */
const mostWaiting = 100;

export class KeyUses implements Pick<Authenticator, 'authenticate'> {
  /** When the use of each key was last noted. */
  private readonly noted = new LRUCache<string, number>({ max: bounds.cachedKeys });
  private waiting = 0;

  constructor(
    private readonly keys: Pick<Authenticator, 'authenticate'>,
    private readonly store: KeyUseStore,
    private readonly now: () => number = Date.now,
  ) {}

  async authenticate(key: string, address: string): Promise<Principal | undefined> {
    const principal = await this.keys.authenticate(key, address);
    if (principal) this.note(principal);
    return principal;
  }

  private note(principal: Principal): void {
    const now = this.now();
    const isRecent = now < (this.noted.get(principal.keyId) ?? -Infinity) + everyMs;
    if (isRecent || this.waiting >= mostWaiting) return;
    this.noted.set(principal.keyId, now);
    this.waiting++;
    this.store
      .noteUse(principal, now)
      .catch(() => {})
      .finally(() => this.waiting--);
  }
}
