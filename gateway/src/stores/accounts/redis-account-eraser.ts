/**
 * Erases everything that Redis holds for an account: all keys with its hash tag, whatever part of the service wrote them,
 * and the entries about it elsewhere. A part that names accounts in other keys must be added to `erase`.
 */
import { Cluster } from 'ioredis';
import type { AccountEraser, Erased } from '../../services/accounts/erasure';
import type { Account } from '../../services/keys/accounts';
import { accountKey } from '../account-key';
import { RedisMembers } from '../identity/redis-members';
import { keysElsewhere, type RedisSessionKeys } from '../liveness/redis-session-keys';
import { forgetSessionAccount } from '../liveness/session-accounts';
import { type RedisClient, unavailable } from '../redis';
import { RedisKeyStore } from '../redis-key-store';
import { forgetActive } from '../redis-meter';

export interface EraserParts {
  /** Where the keys of liveness sessions are stored. Default: with the sessions */
  readonly sessionKeys?: RedisSessionKeys | undefined;
  /** The queue of webhook deliveries. */
  readonly queue?: { remove(deliveryIds: readonly string[]): Promise<void> } | undefined;
}

const scanned = 1_000;

const kinds = {
  sessions: /:session:ses_\w+$/,
  auditImages: /:session:ses_\w+:audit$/,
  deliveries: /:delivery:[\w-]+$/,
} as const;
type Kind = keyof typeof kinds;

export class RedisAccountEraser implements AccountEraser {
  constructor(
    private readonly redis: RedisClient,
    private readonly parts: EraserParts = {},
  ) {}

  async erase({ id, createdAt }: Pick<Account, 'id' | 'createdAt'>): Promise<Erased> {
    const { redis } = this;
    const counts = await this.count(id);
    // First the account and the ways to it, so that nothing new begins.
    await new RedisKeyStore(redis).removeAccount({ id, createdAt });
    await new RedisMembers(redis).removeAll(id);
    await Promise.all([forgetSessionAccount(redis, id), forgetActive(redis, id)]).catch(unavailable);
    const erased: Record<Kind, number> = { sessions: 0, auditImages: 0, deliveries: 0 };
    for await (const names of this.names(accountKey(id, '*'))) {
      const namesOf = (kind: Kind) => names.filter((name) => kinds[kind].test(name));
      await this.eraseKeys(namesOf('sessions'), namesOf('auditImages'));
      await this.parts.queue?.remove(namesOf('deliveries').map((name) => name.split(':').at(-1) as string));
      await redis.unlink(names).catch(unavailable);
      for (const kind of Object.keys(erased) as Kind[]) erased[kind] += namesOf(kind).length;
    }
    return { ...counts, ...erased };
  }

  private async count(id: string): Promise<Erased> {
    const { redis } = this;
    const key = (name: string) => accountKey(id, name);
    const [members, keys, webhooks, categories, events, ledgerEntries] = await Promise.all([
      ...['members', 'keys', 'webhooks', 'categories', 'events'].map((name) => redis.hlen(key(name))),
      redis.xlen(key('ledger')),
    ]).catch(unavailable);
    return { members, keys, webhooks, categories, events, ledgerEntries } as Erased;
  }

  /** Erases the keys that seal sessions and audit images, if they are elsewhere. @throws ApiError SERVICE_UNAVAILABLE */
  private async eraseKeys(sessions: readonly string[], images: readonly string[]): Promise<void> {
    const { redis } = this;
    const { sessionKeys } = this.parts;
    const read = (field: string) => (name: string) => redis.hget(name, field);
    const [sealed, elsewhere] = await Promise.all([
      Promise.all(sessions.map(read('dataKey'))),
      Promise.all(images.map(read('keyId'))),
    ]).catch(unavailable);
    const ids = [
      ...sessions.filter((_, i) => sealed[i] === null).map((name) => name.split(':').at(-1) as string),
      ...elsewhere.filter((id) => id !== null),
    ];
    if (ids.length === 0) return;
    if (!sessionKeys) return unavailable(keysElsewhere);
    await Promise.all(ids.map((id) => sessionKeys.erase(id)));
  }

  /** The names of keys, by batches. In a cluster, any node may have them. */
  private async *names(pattern: string): AsyncGenerator<string[]> {
    const nodes = this.redis instanceof Cluster ? this.redis.nodes('master') : [this.redis];
    for (const node of nodes) {
      let cursor = '0';
      do {
        const [next, names] = await node.scan(cursor, 'MATCH', pattern, 'COUNT', scanned).catch(unavailable);
        if (names.length > 0) yield names;
        cursor = next;
      } while (cursor !== '0');
    }
  }
}
