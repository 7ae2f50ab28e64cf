/** The set of accounts with sessions, from which sweeps and polls start. It belongs to no account's slot. */
import type { SessionAddress } from '../../services/liveness/session/session-store';
import { LuaScript } from '../lua/script';
import { type RedisClient, unavailable } from '../redis';
import { accountsKey, dueKey, outboxKey } from './keys';

const forgetScript = LuaScript.load<'accounts', 'account' | 'score'>('liveness/forget-account');

const accountsAtOnce = 500;
/** Limit per account and sweep. */
const dueAtOnce = 200;
/** Longer than the time between `touchAccount` and the creation of the session. */
const idleMs = 60 * 60_000;

export const touchAccount = (redis: RedisClient, accountId: string, now: number): Promise<unknown> =>
  redis.zadd(accountsKey, 'GT', now, accountId).catch(unavailable);

export const forgetSessionAccount = (redis: RedisClient, accountId: string): Promise<unknown> =>
  redis.zrem(accountsKey, accountId);

/** Accounts that may have open sessions or unpublished events, with the time of their last creation. */
export async function* sessionAccounts(
  redis: RedisClient,
): AsyncGenerator<{ readonly accountId: string; readonly score: string }> {
  for (let from = 0; ; from += accountsAtOnce) {
    const page = await redis
      .zrange(accountsKey, String(from), String(from + accountsAtOnce - 1), 'WITHSCORES')
      .catch(unavailable);
    for (let at = 0; at < page.length; at += 2) {
      yield { accountId: page[at] as string, score: page[at + 1] as string };
    }
    if (page.length < 2 * accountsAtOnce) return;
  }
}

/** Sessions that the sweep must act on. Forgets accounts without open sessions and events. */
export async function* dueSessions(redis: RedisClient, now: () => number): AsyncGenerator<SessionAddress> {
  const idle: { accountId: string; score: string }[] = [];
  for await (const { accountId, score } of sessionAccounts(redis)) {
    // Part of a cluster may be unavailable, which must not delay the accounts of the other nodes.
    const ids = await redis
      .zrangebyscore(dueKey(accountId), '-inf', now(), 'LIMIT', 0, dueAtOnce)
      .catch(() => undefined);
    if (!ids) continue;
    for (const sessionId of ids) yield { accountId, sessionId };
    if (ids.length === 0 && Number(score) < now() - idleMs) idle.push({ accountId, score });
  }
  for (const { accountId, score } of idle) await forget(redis, accountId, score);
}

async function forget(redis: RedisClient, accountId: string, score: string): Promise<void> {
  const left = await Promise.all([redis.zcard(dueKey(accountId)), redis.xlen(outboxKey(accountId))]).catch(
    unavailable,
  );
  if (left.some((count) => count > 0)) return;
  // A session that is being created has updated the score.
  await forgetScript.run(redis, { accounts: accountsKey }, { account: accountId, score }).catch(unavailable);
}
