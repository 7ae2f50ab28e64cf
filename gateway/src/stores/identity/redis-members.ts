import type { MemberStore, Members, MembershipChange, Seat } from '../../services/identity/member-store';
import type { Role } from '../../services/rights/roles';
import { accountKey } from '../account-key';
import { consoleKey } from '../console-key';
import { LuaScript } from '../lua/script';
import { type RedisClient, unavailable } from '../redis';

type Key = 'members' | 'seats';
const changeScript = LuaScript.load<Key, 'user' | 'role' | 'most' | 'invitation' | 'inviter'>(
  'identity/change-member',
);
const reserveScript = LuaScript.load<Key, 'invitation' | 'lifetime' | 'most'>('identity/reserve-seat');

/** Hash: roles by the id of the user. It decides; the list of a user's accounts only finds it. */
const membersKey = (accountId: string) => accountKey(accountId, 'members');
/** Sorted set: ids of open invitations by their end. Some may have ended earlier. */
const seatsKey = (accountId: string) => accountKey(accountId, 'seats');
const keysOf = (accountId: string): Record<Key, string> => ({
  members: membersKey(accountId),
  seats: seatsKey(accountId),
});
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

  async seatsOf(accountId: string): Promise<readonly string[]> {
    return this.redis.zrange(seatsKey(accountId), '0', '-1').catch(unavailable);
  }

  async reserveSeat(
    accountId: string,
    { invitationId, lifetimeMs, freed }: Seat,
    most: number,
  ): Promise<boolean> {
    const args = { invitation: invitationId, lifetime: lifetimeMs, most };
    const reserved = await reserveScript
      .run(this.redis, keysOf(accountId), args, { args: freed })
      .catch(unavailable);
    return reserved === 1;
  }

  /** Lists a new account first: an entry without a role is not shown. */
  async change(
    accountId: string,
    userId: string,
    role: Role | undefined,
    most: number,
    { id = '', inviter = '' }: { readonly id?: string; readonly inviter?: string } = {},
  ): Promise<MembershipChange> {
    if (role) await this.redis.sadd(accountsKey(userId), accountId).catch(unavailable);
    const args = { user: userId, role: role ?? '', most, invitation: id, inviter };
    const outcome = await changeScript.run(this.redis, keysOf(accountId), args).catch(unavailable);
    if (!role && outcome === 'changed') {
      await this.redis.srem(accountsKey(userId), accountId).catch(unavailable);
    }
    return outcome as MembershipChange;
  }
}
