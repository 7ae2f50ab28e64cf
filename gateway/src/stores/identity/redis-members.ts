import type { MemberStore, Members } from '../../services/identity/members';
import type { Role } from '../../services/identity/roles';
import { accountKey } from '../account-key';
import { consoleKey } from '../console-key';
import { LuaScript } from '../lua/script';
import { type RedisClient, unavailable } from '../redis';

const changeScript = LuaScript.load<'members', 'user' | 'role' | 'most'>('identity/change-member');

/** Hash: roles by the id of the user. It decides; the list of a user's accounts only finds it. */
const membersKey = (accountId: string) => accountKey(accountId, 'members');
const accountsKey = (userId: string) => consoleKey(`accounts:${userId}`);

export class RedisMembers implements MemberStore {
  constructor(private readonly redis: RedisClient) {}

  async membersOf(accountId: string): Promise<Members> {
    return (await this.redis.hgetall(membersKey(accountId)).catch(unavailable)) as Members;
  }

  async roleOf(accountId: string, userId: string): Promise<Role | undefined> {
    const role = await this.redis.hget(membersKey(accountId), userId).catch(unavailable);
    return (role ?? undefined) as Role | undefined;
  }

  async accountsOf(userId: string): Promise<readonly string[]> {
    const ids = await this.redis.smembers(accountsKey(userId)).catch(unavailable);
    const roles = await Promise.all(ids.map((id) => this.roleOf(id, userId)));
    return ids.filter((_, i) => roles[i] !== undefined).sort();
  }

  /** Ends all memberships of an account. */
  async removeAll(accountId: string): Promise<void> {
    const ids = Object.keys(await this.membersOf(accountId));
    await Promise.all(ids.map((id) => this.redis.srem(accountsKey(id), accountId))).catch(unavailable);
    await this.redis.del(membersKey(accountId)).catch(unavailable);
  }

  async forget(userId: string): Promise<void> {
    await this.redis.del(accountsKey(userId)).catch(unavailable);
  }

  /** Lists a new account first: an entry without a role is not shown. */
  async change(
    accountId: string,
    userId: string,
    role: Role | undefined,
    most: number,
  ): Promise<'changed' | 'lastOwner' | 'full'> {
    if (role) await this.redis.sadd(accountsKey(userId), accountId).catch(unavailable);
    const args = { user: userId, role: role ?? '', most };
    const outcome = await changeScript
      .run(this.redis, { members: membersKey(accountId) }, args)
      .catch(unavailable);
    if (!role && outcome === 'changed') {
      await this.redis.srem(accountsKey(userId), accountId).catch(unavailable);
    }
    return outcome as 'changed' | 'lastOwner' | 'full';
  }
}
