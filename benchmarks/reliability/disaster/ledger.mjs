/** The ledger in Redis and the journals of gateways, as an auditor reads them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountKey, withRedis } from '../../../gateway/harness/index.mjs';

const FILLED_AT_ONCE = 10_000;

/** Items that are billed, of each account. @returns {Promise<string[][]>} */
export const itemsOf = (url, groups) =>
  withRedis(url, (redis) =>
    Promise.all(
      groups.map(async ({ account }) => {
        const entries = await redis.xrange(accountKey(account.accountId, 'ledger'), '-', '+');
        const value = (fields, name) => fields[fields.indexOf(name) + 1];
        return entries
          .filter(([, fields]) => value(fields, 'kind') === 'commit')
          .map(([, fields]) => value(fields, 'item'));
      }),
    ),
  );

/** @param {string} folder of a gateway's journal @returns {import('./units.mjs').Late[]} */
export const linesOfJournal = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.journal'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
    .map((line) => JSON.parse(line));

const FILL = `local now = redis.call('TIME')
for i = 1, tonumber(ARGV[1]) do
  redis.call('XADD', KEYS[1], '*', 'kind', 'commit', 'item', redis.sha1hex(ARGV[2] + i):sub(1, 22) .. ':0', 'mode', 'live',
    'month', ARGV[3], 'day', ARGV[4], 'group', 'imageAnalysis', 'product', 'faceDetection', 'key', 'key_1')
end
local period = 'live:' .. ARGV[3] .. ':'
for _, field in ipairs({ 'imageAnalysis:used', 'imageAnalysis:day:' .. ARGV[4], 'product:faceDetection:day:' .. ARGV[4] }) do
  redis.call('HINCRBY', KEYS[2], period .. field, ARGV[1])
end`;

/**
 * Bills units of an account, as metering does, so that the backup has the size of one in production. The ids are random,
 * because Redis compresses others.
 */
export function fill(url, accountId, units) {
  const [month, day] = [new Date().toISOString().slice(0, 7), String(new Date().getUTCDate())];
  const keys = [accountKey(accountId, 'ledger'), accountKey(accountId, 'usage')];
  return withRedis(url, async (redis) => {
    for (let from = 0; from < units; from += FILLED_AT_ONCE)
      await redis.eval(FILL, 2, ...keys, Math.min(FILLED_AT_ONCE, units - from), from, month, day);
  });
}
