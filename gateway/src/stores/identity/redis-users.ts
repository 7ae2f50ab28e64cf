/** People in Redis. Their records are sealed, and their email addresses are found by keyed hashes. */
import type { Vault } from '../../crypto/vault';
import type { User, UserStore } from '../../services/identity/users';
import { hashKey } from '../../services/keys/api-key';
import { consoleKey } from '../console-key';
import { LuaScript } from '../lua/script';
import { type RedisClient, unavailable } from '../redis';

/** Hash: sealed records by id. */
const users = consoleKey('users');
/** Hash: ids by the keyed hash of the email address. */
const emails = consoleKey('emails');
const keys = { users, emails };

type Key = keyof typeof keys;
const addScript = LuaScript.load<Key, 'id' | 'record' | 'email'>('identity/add-user');
const replaceScript = LuaScript.load<Key, 'id' | 'before' | 'after' | 'oldEmail' | 'newEmail'>(
  'identity/replace-user',
);

/** Opened in place of the record of an unknown address, so that the time does not reveal it. */
const decoy = { id: 'nobody', record: { email: 'nobody', password: '-'.repeat(96), passkeys: [] } };

export class RedisUsers implements UserStore {
  private readonly decoy: string;

  /** @param secret KEY_SECRET */
  constructor(
    private readonly redis: RedisClient,
    private readonly vault: Vault,
    private readonly secret: string,
  ) {
    this.decoy = vault.seal(JSON.stringify(decoy.record), decoy.id);
  }

  async add(user: User): Promise<boolean> {
    const args = { id: user.id, record: this.seal(user), email: this.hash(user.email) };
    return (await addScript.run(this.redis, keys, args).catch(unavailable)) === 1;
  }

  async find(id: string): Promise<User | undefined> {
    const sealed = await this.redis.hget(users, id).catch(unavailable);
    return sealed === null ? undefined : this.open(id, sealed);
  }

  async findByEmail(email: string): Promise<User | undefined> {
    const id = await this.redis.hget(emails, this.hash(email)).catch(unavailable);
    // The same work for unknown addresses, so that the time does not reveal them.
    const user = await this.find(id ?? decoy.id);
    if (!user) this.open(decoy.id, this.decoy);
    return user;
  }

  async update(id: string, change: (user: User) => User): Promise<User | 'taken' | undefined> {
    for (;;) {
      const before = await this.redis.hget(users, id).catch(unavailable);
      if (before === null) return undefined;
      const user = this.open(id, before);
      const changed = change(user);
      const outcome = await replaceScript
        .run(this.redis, keys, {
          id,
          before,
          after: this.seal(changed),
          oldEmail: this.hash(user.email),
          newEmail: this.hash(changed.email),
        })
        .catch(unavailable);
      if (outcome === 'taken') return 'taken';
      if (outcome === 1) return changed;
    }
  }

  async remove(id: string): Promise<void> {
    const user = await this.find(id);
    if (!user) return;
    await this.redis.multi().hdel(users, id).hdel(emails, this.hash(user.email)).exec().catch(unavailable);
  }

  private seal(user: User): string {
    return this.vault.seal(JSON.stringify(user), user.id);
  }

  private open(id: string, sealed: string): User {
    return JSON.parse(this.vault.open(sealed, id)) as User;
  }

  private hash(email: string): string {
    return hashKey(`email ${email}`, this.secret);
  }
}
