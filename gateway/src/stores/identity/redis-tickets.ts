import type { Vault } from '../../crypto/vault';
import type { TicketStore } from '../../services/identity/tickets';
import { type RedisClient, unavailable } from '../redis';
import { consoleKey } from './console-key';

const ticketKey = (hash: string) => consoleKey(`ticket:${hash}`);

/** Tickets in Redis, sealed because some name an email address. */
export class RedisTickets implements TicketStore {
  constructor(
    private readonly redis: RedisClient,
    private readonly vault: Vault,
  ) {}

  async add(hash: string, content: string, lifetimeMs: number): Promise<void> {
    await this.redis
      .set(ticketKey(hash), this.vault.seal(content, hash), 'PX', lifetimeMs)
      .catch(unavailable);
  }

  async find(hash: string): Promise<string | undefined> {
    return this.opened(hash, await this.redis.get(ticketKey(hash)).catch(unavailable));
  }

  async take(hash: string): Promise<string | undefined> {
    return this.opened(hash, await this.redis.getdel(ticketKey(hash)).catch(unavailable));
  }

  private opened(hash: string, sealed: string | null): string | undefined {
    return sealed === null ? undefined : this.vault.open(sealed, hash);
  }
}
