/** Accounts with sessions, which stand in one set of no account: where whoever looks for work begins. */
import type { SessionAddress } from '../../services/liveness/session/session-store';
import { type RedisClient, unavailable } from '../redis';
import { accountsKey, dueKey, outboxKey } from './keys';
import { forgetAccountScript } from './session-scripts';

const accountsAtOnce = 500;
/** Of one account in one round; the rest comes in the next. */
const dueAtOnce = 200;
/** Longer than it takes from entering an account here until its session is made. */
const idleMs = 60 * 60_000;

export const touchAccount = (redis: RedisClient, accountId: string, now: number): Promise<unknown> =>
  redis.zadd(accountsKey, 'GT', now, accountId).catch(unavailable);

/** Accounts that may have open sessions or events in their outbox, and since when they made none. */
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

/** Sessions that wait for somebody to act. Accounts that have none left, and no events, are forgotten on the way. */
export async function* dueSessions(redis: RedisClient, now: () => number): AsyncGenerator<SessionAddress> {
  const idle: { accountId: string; score: string }[] = [];
  for await (const { accountId, score } of sessionAccounts(redis)) {
    // Of a cluster a part may be away: its accounts wait, the others do not.
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
  // Whoever makes a session just now has entered the account anew.
  await redis.eval(forgetAccountScript, 1, accountsKey, accountId, score).catch(unavailable);
}
