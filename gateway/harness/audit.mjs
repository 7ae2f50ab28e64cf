// Compares the responses that clients received with the bill of their account.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
// The gateway's client: a root dependency would hide it from the gateway's bill of materials.
import { Redis } from 'ioredis';
import { ROOT } from './cli/paths.mjs';
import { waitUntil } from './wait.mjs';

/** @typedef {Awaited<ReturnType<typeof audit>>} Audit */

const SETTLE_TIMEOUT_MS = 180_000;
const INTERVAL_MS = 100;

/** Prefix of every key in Redis. @type {{ slug: string }} */
const { slug } = JSON.parse(readFileSync(join(ROOT, 'gateway/contract/brand.json'), 'utf8'));

/** A key of one account in Redis. @param {string} accountId @param {string} name */
export const accountKey = (accountId, name) => `${slug}:{${accountId}}:${name}`;

/**
 * @template T
 * @param {string} redisUrl
 * @param {(redis: Redis) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withRedis(redisUrl, use) {
  const redis = new Redis(redisUrl);
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

/**
 * Waits until every journal is replayed and no reservation is left.
 * @param {string} redisUrl
 * @param {{ accounts: readonly string[], journals: readonly string[], timeoutMs?: number }} of journals: folders
 * @returns {Promise<number>} how long it took, in ms; after a timeout the audit shows the rest
 */
export async function whenSettled(redisUrl, { accounts, journals, timeoutMs = SETTLE_TIMEOUT_MS }) {
  const begin = performance.now();
  await withRedis(redisUrl, async (redis) => {
    const isSettled = async () => {
      const isJournal = (/** @type {string} */ name) => name.endsWith('.journal');
      if (journals.some((folder) => existsSync(folder) && readdirSync(folder).some(isJournal))) return false;
      const held = await Promise.all(
        accounts.flatMap((id) => [
          redis.hlen(accountKey(id, 'reservations')),
          redis.zcard(accountKey(id, 'running')),
        ]),
      );
      return held.every((count) => count === 0);
    };
    await waitUntil('nothing is reserved', isSettled, { timeoutMs, intervalMs: INTERVAL_MS }).catch(() => {});
  });
  return performance.now() - begin;
}

/**
 * @param {string} redisUrl
 * @param {{ accountId: string, keyId: string, mode: string }} account
 * @param {readonly import('./client.mjs').Outcome[]} outcomes of all operations of the account, sent with this key
 */
export function audit(redisUrl, { accountId, keyId, mode }, outcomes) {
  return withRedis(redisUrl, async (redis) => {
    const usage = await redis.hgetall(accountKey(accountId, 'usage'));
    const counter = (/** @type {RegExp} */ name) =>
      Object.entries(usage)
        .filter(([field]) => field.startsWith(`${mode}:`) && name.test(field))
        .reduce((sum, [, value]) => sum + Number(value), 0);
    const ledger = await redis.xrange(accountKey(accountId, 'ledger'), '-', '+');
    const entries = ledger.map(([, fields]) =>
      Object.fromEntries(fields.flatMap((name, i) => (i % 2 === 0 ? [[name, fields[i + 1]]] : []))),
    );
    const commits = entries.filter(({ kind }) => kind === 'commit');
    const succeeded = outcomes.flatMap((outcome) =>
      outcome.operation.products.filter((_, i) => outcome.succeeded[i]),
    );
    const products = [...new Set(outcomes.flatMap(({ operation }) => operation.products))];
    const marks = await Promise.all(
      outcomes.map(async (outcome) => {
        // An Idempotency-Key belongs to its sender: the API key, which no member created here.
        const sent = `${mode}:${keyId}  ${outcome.operation.key}`;
        const fields = await redis.hkeys(idempotencyKey(accountId, sent));
        return outcome.succeeded.every((success, i) => fields.includes(String(i)) === success);
      }),
    );
    return {
      operations: outcomes.length,
      succeeded: succeeded.length,
      ledger: commits.length,
      items: new Set(commits.map(({ item }) => item)).size,
      counted: counter(/:used$/),
      days: counter(/^[^:]+:[^:]+:[^:]+:day:\d+$/),
      reserved: counter(/:reserved$/),
      held: await redis.hlen(accountKey(accountId, 'reservations')),
      refunded: entries.filter(({ kind }) => kind === 'refund').length,
      expired: entries.filter(({ kind }) => kind === 'expired').length,
      byProduct: products.map((product) => ({
        product,
        succeeded: succeeded.filter((committed) => committed === product).length,
        ledger: commits.filter((entry) => entry.product === product).length,
        counted: counter(new RegExp(`:product:${product}:day:\\d+$`)),
      })),
      /** Operations whose billed parts differ from those that succeeded. */
      mismatched: marks.filter((isRight) => !isRight).length,
    };
  });
}

/** The key that the gateway's store uses. @param {string} accountId @param {string} key with its mode and sender */
const idempotencyKey = (accountId, key) =>
  accountKey(accountId, `idem:${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`);

/** The largest difference between any part of the bill and the successful responses, in units. @param {Audit} found */
export function deviation({
  succeeded,
  ledger,
  items,
  counted,
  days,
  reserved,
  held,
  byProduct,
  mismatched,
}) {
  const totals = [ledger, items, counted, days].map((count) => Math.abs(count - succeeded));
  const products = byProduct.flatMap((balance) =>
    [balance.ledger, balance.counted].map((count) => Math.abs(count - balance.succeeded)),
  );
  return Math.max(...totals, ...products, Math.abs(reserved), held, mismatched);
}
