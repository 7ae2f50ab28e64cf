/** Compares what clients were answered with what their account was billed. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { accountKey, withRedis } from '../lib/gateway.mjs';

/** @typedef {import('./client.mjs').Pursued} Pursued */
/** @typedef {Awaited<ReturnType<typeof audit>>} Audit */

const SETTLE_LIMIT_MS = 180_000;
const LOOK_EVERY_MS = 100;

/**
 * Waits until every journal was replayed and nothing is reserved any more.
 * @param {string} redisUrl
 * @param {{ accounts: readonly string[], journals: readonly string[] }} where
 * @returns {Promise<number>} how long that took, in ms
 */
export function whenSettled(redisUrl, { accounts, journals }) {
  const begin = performance.now();
  return withRedis(redisUrl, async (redis) => {
    for (;;) {
      const lines = journals.flatMap((folder) =>
        (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name.endsWith('.journal')),
      );
      const held = await Promise.all(
        accounts.flatMap((id) => [
          redis.hlen(accountKey(id, 'reservations')),
          redis.zcard(accountKey(id, 'running')),
        ]),
      );
      const ms = performance.now() - begin;
      if (lines.length === 0 && held.every((count) => count === 0)) return ms;
      // What is left then is what the audit finds.
      if (ms > SETTLE_LIMIT_MS) return ms;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  });
}

/**
 * @param {string} redisUrl
 * @param {import('../lib/gateway.mjs').Account} account
 * @param {readonly Pursued[]} pursued everything that the account ever asked for
 */
export function audit(redisUrl, { accountId, mode }, pursued) {
  return withRedis(redisUrl, async (redis) => {
    const usage = await redis.hgetall(accountKey(accountId, 'usage'));
    /** @param {RegExp} name */
    const counter = (name) =>
      Object.entries(usage)
        .filter(([field]) => field.startsWith(`${mode}:`) && name.test(field))
        .reduce((all, [, value]) => all + Number(value), 0);
    const ledger = await redis.xrange(accountKey(accountId, 'ledger'), '-', '+');
    const entries = ledger.map(([, fields]) =>
      Object.fromEntries(fields.flatMap((name, i) => (i % 2 === 0 ? [[name, fields[i + 1]]] : []))),
    );
    const commits = entries.filter(({ kind }) => kind === 'commit');
    const products = pursued.flatMap(({ operation, succeeded }) =>
      operation.products.filter((_, i) => succeeded[i]),
    );
    const byProduct = [...new Set(pursued.flatMap(({ operation }) => operation.products))].map((product) => ({
      product,
      answered: products.filter((one) => one === product).length,
      ledger: commits.filter((entry) => entry.product === product).length,
      counted: counter(new RegExp(`:product:${product}$`)),
    }));
    const marked = await Promise.all(
      pursued.map(async ({ operation, succeeded }) => {
        const fields = await redis.hkeys(idempotencyKey(accountId, `${mode}:${operation.key}`));
        const counted = fields.filter((field) => /^\d+$/.test(field));
        return succeeded.every((yes, i) => counted.includes(String(i)) === yes);
      }),
    );
    return {
      operations: pursued.length,
      answered: products.length,
      ledger: commits.length,
      items: new Set(commits.map(({ item }) => item)).size,
      counted: counter(/:used$/),
      days: counter(/:day:\d+$/),
      reserved: counter(/:reserved$/),
      held: await redis.hlen(accountKey(accountId, 'reservations')),
      refunded: entries.filter(({ kind }) => kind === 'refund').length,
      expired: entries.filter(({ kind }) => kind === 'expired').length,
      byProduct,
      /** Operations of which other parts were counted than were answered. */
      mismatched: marked.filter((right) => !right).length,
    };
  });
}

/** As the gateway's store names it. @param {string} accountId @param {string} key with the mode in front */
const idempotencyKey = (accountId, key) =>
  accountKey(accountId, `idem:${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`);

/** Units by which anything differs from what was answered. @param {Audit} found */
export function deviation({ answered, ledger, items, counted, days, reserved, held, byProduct, mismatched }) {
  const totals = [ledger, items, counted, days].map((count) => Math.abs(count - answered));
  const products = byProduct.flatMap((one) =>
    [one.ledger, one.counted].map((count) => Math.abs(count - one.answered)),
  );
  return Math.max(...totals, ...products, Math.abs(reserved), held, mismatched);
}
