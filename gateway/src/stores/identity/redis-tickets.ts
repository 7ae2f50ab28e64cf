import type { Vault } from '../../crypto/vault';
import type { StoredTicket, TicketStore } from '../../services/identity/tickets';
import { hashKey } from '../../services/keys/api-key';
import { consoleKey } from '../console-key';
import { type RedisClient, unavailable } from '../redis';

/** The lifetime of the longest-lived ticket. */
const longestMs = 7 * 24 * 60 * 60 * 1_000;

const ticketKey = (hash: string) => consoleKey(`ticket:${hash}`);

/** Tickets in Redis, sealed because some name an email address. */
export class RedisTickets implements TicketStore {
  /** @param secret KEY_SECRET */
  constructor(
    private readonly redis: RedisClient,
    private readonly vault: Vault,
    private readonly secret: string,
  ) {}

  async add(hash: string, content: string, lifetimeMs: number, owners: readonly string[]): Promise<void> {
    const now = Date.now();
    const changes = this.redis.multi();
    changes.set(ticketKey(hash), this.vault.seal(content, hash), 'PX', lifetimeMs);
    for (const list of owners.map((owner) => this.listKey(owner))) {
      changes.zremrangebyscore(list, '-inf', now);
      changes.zadd(list, now + lifetimeMs, hash).pexpire(list, longestMs);
    }
    await changes.exec().catch(unavailable);
  }

  async find(hash: string): Promise<string | undefined> {
    return this.opened(hash, await this.redis.get(ticketKey(hash)).catch(unavailable));
  }

  async take(hash: string): Promise<string | undefined> {
    return this.opened(hash, await this.redis.getdel(ticketKey(hash)).catch(unavailable));
  }

  async removeAll(owner: string): Promise<void> {
    const list = this.listKey(owner);
    const hashes = await this.redis.zrange(list, '0', '-1').catch(unavailable);
    await this.redis.del([list, ...hashes.map(ticketKey)]).catch(unavailable);
  }

  async list(owner: string): Promise<StoredTicket[]> {
    const rows = await this.redis
      .zrange(this.listKey(owner), String(Date.now()), '+inf', 'BYSCORE', 'WITHSCORES')
      .catch(unavailable);
    const ends = new Map<string, number>();
    for (let at = 0; at < rows.length; at += 2) ends.set(rows[at] as string, Number(rows[at + 1]));
    const tickets = await Promise.all(
      [...ends].map(async ([hash, endsAt]) => ({ hash, endsAt, content: await this.find(hash) })),
    );
    // Others were used.
    return tickets.flatMap(({ content, ...ticket }) =>
      content === undefined ? [] : [{ ...ticket, content }],
    );
  }

  /** Sorted set: hashes of the tickets of an owner, by when they end. The owner may be an email address. */
  private listKey(owner: string): string {
    return consoleKey(`tickets:${hashKey(`tickets ${owner}`, this.secret)}`);
  }

  private opened(hash: string, sealed: string | null): string | undefined {
    return sealed === null ? undefined : this.vault.open(sealed, hash);
  }
}
