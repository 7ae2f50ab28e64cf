/**
 * Loses the machine of Redis during a steady load, restores it by the steps of the documentation, and accounts for
 * every unit: those of the backup, of the journals, after the restore, and those that are lost.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  accountKey,
  admin,
  drive,
  freePort,
  HOST,
  Part,
  RetryingClient,
  redisCommand,
  runToEnd,
  startRedis,
  unlimited,
  waitUntil,
  whenSettled,
  withFolder,
  withRedis,
  withService,
} from '../../deploy/local/harness/index.mjs';
import { atMost, zero } from '../lib/figures.mjs';
import { ROOT } from '../lib/paths.mjs';
import { randomFrom } from '../lib/random.mjs';
import { figure, range } from '../lib/report.mjs';
import { spread, sum } from '../lib/stats.mjs';
import { beginTrials, changeTrials, surprisesIn, triedAfter } from './disaster-trials.mjs';
import { balanceOf, journaledUnits } from './disaster-units.mjs';
import { smallImages } from './images.mjs';
import { operations } from './operations.mjs';
import { evaluate, patienceOf } from './rehearsal.mjs';

/** Without Redis, the first account has to wait, and the service serves the second one. */
const plans = { 'hard limit': 'free', 'with overage': 'business' };
const IMAGES = 3;
/** Clients notice a slower recovery as another outage. */
const RECOVERY_S = 10;
const FILLED_AT_ONCE = 10_000;

/** Kinds of loss. */
const ways = {
  backup: {},
  'backup, session keys lost too': { losesKeys: true },
  replica: { hasReplica: true },
};

const restoreScript = join(ROOT, 'deploy/docker/restore.sh');

/** @type {import('../lib/types').Measurement} */
export const disaster = {
  name: 'reliability/disaster',
  question: 'What is lost, and for how long, when the machine of Redis is lost and Redis is restored?',
  conditions: {
    rounds: 3,
    perSecond: 1.5,
    ledgerUnits: 1_000_000,
    beforeSeconds: 4,
    sinceSeconds: 8,
    awaySeconds: 8,
    afterSeconds: 6,
    deadlineMs: 5_000,
    seed: 0,
    only: '',
  },
  quick: {
    ...{ rounds: 1, ledgerUnits: 20_000, only: 'backup' },
    ...{ beforeSeconds: 3, sinceSeconds: 4, awaySeconds: 4, afterSeconds: 4 },
  },

  async run({ rounds, only, seed: given, ...conditions }, log) {
    const seed = given || (Date.now() % 1e6) + 1;
    log(`seed ${seed}`);
    const images = await smallImages(IMAGES);
    const rows = [];
    for (let round = 0; round < rounds; round++) {
      for (const [place, [way, loss]] of Object.entries(ways).entries()) {
        if (!way.includes(only)) continue;
        const course = { ...conditions, seed: seed + 10_000 * round + 1_000 * place, images };
        const row = await withFolder((folder) => play(loss, course, folder));
        rows.push({ way, ...row });
        log(`${way}: ${JSON.stringify(row)}`);
      }
    }
    return { seed, rows };
  },

  summarize({ seed, rows }, conditions) {
    const accounts = rows.flatMap((row) => row.accounts.map((one) => ({ way: row.way, ...one })));
    const units = { n: sum(accounts.map((one) => one.succeeded)), of: 'units' };
    const none = (what, key) =>
      zero(what, sum(accounts.map((one) => Math.abs(one.balance[key] ?? one[key]))), units);
    const timesOf = (way) =>
      Object.fromEntries(
        Object.keys(rows[0].times).map((name) => {
          const values = rows.filter((row) => row.way === way).flatMap(({ times }) => times[name] ?? []);
          return [name, values.length > 0 ? spread(values) : null];
        }),
      );
    const found = [...new Set(rows.map(({ way }) => way))].map((way) => ({ way, ...timesOf(way) }));
    const lostOf = (way) => sum(accounts.filter((one) => one.way === way).map(({ balance }) => balance.lost));
    const sizes = {
      keys: Math.max(...rows.map((row) => row.keys ?? 0)),
      backupBytes: Math.max(...rows.map((row) => row.backupBytes ?? 0)),
    };
    return {
      figures: [
        none('Units billed twice', 'twice'),
        none('Units of the backup or of a journal that are not billed', 'unbilled'),
        none('Successes that are neither billed nor counted as lost', 'deviation'),
        zero('Ledgers that differ from their counters', sum(rows.map((row) => row.unverified))),
        zero('Trials with another outcome than documented', sum(rows.map((row) => row.surprises.length))),
        none('Operations without a result in the end', 'lostOperations'),
        none('Responses or parts of them with status 500', 'defects'),
        atMost(
          'Longest time from the return of Redis to the first success',
          Math.max(...rows.map(({ times }) => times.firstSuccessS)),
          's',
          RECOVERY_S,
          { n: rows.length, of: 'losses' },
        ),
      ],
      tables: [
        {
          title: 'Times, s',
          columns: `Way | n | ${Object.values(timeNames).join(' | ')}`,
          rows: found.map((one) => [
            one.way,
            rows.filter(({ way }) => way === one.way).length,
            ...Object.keys(timeNames).map((name) => (one[name] ? range(one[name]) : '–')),
          ]),
          remark: `Median and range. Seed ${seed}. ${figure(2 * conditions.perSecond)} operations a second; a ledger of ${conditions.ledgerUnits} further units; the backup has ${sizes.keys} keys and ${figure(sizes.backupBytes / 1e6)} MB. The machine is lost without a sign: connections stay open and silent. The times after the return of Redis count from the moment that its address responds again; gateways are not restarted.`,
        },
        {
          title: 'Units',
          columns:
            'Way | Account | Succeeded | In the backup | In journals | After the restore | Lost | Billed twice | Not billed',
          rows: found.flatMap(({ way }) =>
            Object.keys(plans).map((kind) => {
              const own = accounts.filter((one) => one.way === way && one.kind === kind);
              const of = (key) => sum(own.map(({ balance }) => balance[key]));
              return [
                ...[way, kind, sum(own.map((one) => one.succeeded))],
                ...['atBackup', 'journaled', 'since', 'lost', 'twice', 'unbilled'].map(of),
              ];
            }),
          ),
          remark:
            'Sums of all rounds. Lost: billed by the lost Redis and absent afterward, counted in its last files, which nothing else reads. Of a replica, "in the backup" is what it had when it was promoted.',
        },
        {
          title: 'Responses while Redis was unavailable',
          columns: 'Way | Account | Attempts by status | Served | Retry-After, s',
          rows: accounts.map(({ way, kind, away }) => [
            ...[way, kind],
            Object.entries(away.meanwhile)
              .map(([status, times]) => `${status}: ${times}`)
              .join(', '),
            away.servedMeanwhile,
            away.retryAfterS ? `${figure(away.retryAfterS.min)} to ${figure(away.retryAfterS.max)}` : 'none',
          ]),
        },
        {
          title: 'Changes after the backup, and their state after the restore',
          columns: `Way | ${Object.keys(rows[0].trials).join(' | ')}`,
          rows: found.map(({ way }) => [way, ...Object.values(rows.find((row) => row.way === way).trials)]),
          remark: 'Status of the response.',
        },
      ],
      data: {
        ways: Object.fromEntries(found.map(({ way, ...times }) => [way, times])),
        n: conditions.rounds,
        ...sizes,
        ledgerUnits: conditions.ledgerUnits,
        lost: Object.fromEntries(found.map(({ way }) => [way, lostOf(way)])),
        succeeded: units.n,
      },
    };
  },
};

const timeNames = {
  backupS: 'Backup',
  detectionS: 'Loss to the first 503',
  restoreS: 'Restore',
  startS: 'Start of Redis',
  firstSuccessS: 'Return of Redis to the first success',
  journalsS: 'Return of Redis to empty journals',
  verifyS: '`usage verify` of an account',
};

/** @typedef {import('../../deploy/local/harness/index.mjs').Service} Service */

/** Starts the service with a Redis for the keys of sessions, and loses its Redis. */
async function play(loss, course, folder) {
  const keysFolder = join(folder, 'redis-keys');
  mkdirSync(keysFolder);
  const port = await freePort();
  const sessionKeys = new Part('redis-keys', () => startRedis({ folder: keysFolder, port, durable: true }));
  await sessionKeys.start();
  const gatewayEnv = {
    GATEWAY_DEADLINE_MS: String(course.deadlineMs),
    REDIS_SESSION_KEYS_URL: `redis://${HOST}:${port}`,
  };
  try {
    return await withService({ gateways: 2, proxies: true, gatewayEnv }, async (service) => {
      const emptyKeys = async () => {
        rmSync(keysFolder, { recursive: true });
        mkdirSync(keysFolder);
      };
      const keys = loss.losesKeys ? { part: sessionKeys, empty: emptyKeys } : undefined;
      return rehearse(service, { keys, hasReplica: loss.hasReplica ?? false, folder }, course);
    });
  } finally {
    await sessionKeys.stop();
  }
}

/** @param {Service} service */
async function rehearse(service, { keys, hasReplica, folder }, course) {
  const { ledgerUnits, beforeSeconds, sinceSeconds, awaySeconds, afterSeconds } = course;
  const filler = await service.createAccount();
  await fill(service.redisUrl, filler.accountId, ledgerUnits);
  const groups = [];
  for (const [place, [kind, plan]] of Object.entries(plans).entries()) {
    const account = await service.createAccount({ plan, overrides: unlimited });
    groups.push(new Group(kind, account, service, { ...course, seed: course.seed + 100 * place }));
  }
  const replica = hasReplica ? await startReplica(service) : undefined;
  try {
    for (const group of groups) group.begin();
    await delay(1e3 * beforeSeconds);
    const trials = await beginTrials(service);
    const file = join(folder, 'backup.rdb');
    const backupS = replica ? undefined : await seconds(() => backUp(service.redisUrl, file));
    await changeTrials(service, trials);
    await delay(1e3 * sinceSeconds);

    const lostAt = performance.now();
    for (const proxy of service.proxies.redis) proxy.partition();
    await Promise.all([service.redis.kill(), keys?.part.kill()]);
    const lostFolder = join(folder, 'lost');
    renameSync(service.redisFolder, lostFolder);
    mkdirSync(service.redisFolder);
    await keys?.empty();
    await delay(1e3 * awaySeconds);
    for (const group of groups) group.pause();
    // Accounts with overage are served without Redis, so that the journals are complete once their last response is here.
    await Promise.all(groups.filter(({ kind }) => kind === 'with overage').map((group) => group.idle()));
    const journaled = service.journals.flatMap(linesOfJournal);

    let keysRestored;
    const restoreS = await seconds(async () => {
      if (replica) await redisCommand(replica.url, ['REPLICAOF', 'NO', 'ONE']);
      else keysRestored = await restore(file, service.redisFolder);
    });
    const startS = replica ? undefined : await seconds(() => service.redis.startUntilUp());
    await keys?.part.startUntilUp();
    const redisUrl = replica?.url ?? service.redisUrl;
    const atBackup = await itemsOf(redisUrl, groups);
    const backAt = performance.now();
    for (const proxy of service.proxies.redis) {
      if (replica) proxy.target = () => replica.port;
      await proxy.heal();
    }
    for (const group of groups) group.begin();
    const journals = { accounts: [], journals: service.journals };
    const journalsS = (await whenSettled(redisUrl, journals)) / 1e3;
    const asked = await triedAfter(service, trials, redisUrl);
    await delay(1e3 * afterSeconds);
    for (const group of groups) group.pause();
    const outcomes = await Promise.all(groups.map((group) => group.idle()));
    const accounts = groups.map(({ account }) => account.accountId);
    await whenSettled(redisUrl, { accounts, journals: service.journals });

    const verified = [];
    for (const id of [filler.accountId, ...accounts]) {
      let matches = false;
      const took = await seconds(async () => {
        const result = admin(['usage', 'verify', '--account', id], { REDIS_URL: redisUrl });
        matches = await result.then((one) => one.matches).catch(() => false);
      });
      verified.push({ took, matches });
    }
    const billed = await itemsOf(redisUrl, groups);
    const atLoss = await withLost(lostFolder, (url) => itemsOf(url, groups));
    const until = performance.now();
    const failed = outcomes
      .flat()
      .flatMap(({ attempts }) => attempts)
      .filter(({ name, to }) => name.startsWith('503') && to > lostAt);
    const first = (outcome) => outcome.attempts.find((one) => !one.failed && one.to > backAt)?.to;
    return {
      times: {
        backupS,
        detectionS: (Math.min(...failed.map(({ to }) => to)) - lostAt) / 1e3,
        restoreS,
        startS,
        firstSuccessS: (Math.min(...(outcomes[0] ?? []).map((one) => first(one) ?? until)) - backAt) / 1e3,
        journalsS,
        verifyS: verified[0]?.took,
      },
      keys: keysRestored,
      backupBytes: replica ? undefined : statSync(file).size,
      unverified: verified.filter(({ matches }) => !matches).length,
      trials: asked,
      surprises: surprisesIn(asked, { hasReplica, losesKeys: keys !== undefined }),
      accounts: groups.map(({ kind, account }, i) => {
        const own = outcomes[i] ?? [];
        const id = account.accountId;
        const succeeded = sum(own.map((one) => one.succeeded.filter(Boolean).length));
        return {
          ...{ kind, succeeded },
          balance: balanceOf({
            ...{ atBackup: atBackup[i], atLoss: atLoss[i], billed: billed[i] },
            journaled: journaledUnits(journaled.filter(({ accountId }) => accountId === id)),
            succeeded,
          }),
          lostOperations: own.filter(({ lost }) => lost).length,
          defects: sum(own.map(({ defects }) => defects)),
          away: evaluate(own, { from: lostAt, to: backAt, until, deadlineMs: course.deadlineMs }),
        };
      }),
    };
  } finally {
    for (const group of groups) group.close();
    await replica?.stop();
  }
}

/** An account with its load, which can be paused. */
class Group {
  #stopping = new AbortController();
  /** @type {Promise<{ results: import('../../deploy/local/harness/index.mjs').Outcome[] }>[]} */
  #driven = [];

  constructor(kind, account, { urls }, { perSecond, deadlineMs, seed, images }) {
    this.kind = kind;
    this.account = account;
    this.perSecond = perSecond;
    const options = { ...patienceOf(deadlineMs), random: randomFrom(seed + 1).next };
    this.client = new RetryingClient(urls, account.apiKey, options);
    this.next = operations(images, randomFrom(seed + 2), String(seed));
  }

  begin() {
    this.#stopping = new AbortController();
    const send = () => this.client.pursue(this.next());
    this.#driven.push(drive({ perSecond: this.perSecond, send, signal: this.#stopping.signal }));
  }

  /** Starts no further operations. */
  pause = () => this.#stopping.abort();

  /** The outcomes of all operations so far, once each has one. */
  idle = async () => (await Promise.all(this.#driven)).flatMap(({ results }) => results);

  close() {
    this.pause();
    this.client.close();
  }
}

/** @param {() => unknown} act */
async function seconds(act) {
  const begin = performance.now();
  await act();
  return (performance.now() - begin) / 1e3;
}

/** @param {string} script @param {readonly string[]} args @param {NodeJS.ProcessEnv} [env] */
async function shell(script, args, env) {
  const { code, stdout, stderr } = await runToEnd('sh', ['-euc', script, 'sh', ...args], {
    ...(env && { env }),
  });
  if (code !== 0) throw new Error(`A step of the documentation failed: ${stderr}`);
  return stdout;
}

/** The documented backup, without the container. @param {string} url @param {string} file */
const backUp = (url, file) => shell('redis-cli -u "$1" --rdb - > "$2"', [url, file]);

/** The documented restore, without the container. @returns {Promise<number>} keys */
async function restore(file, folder) {
  const printed = await shell('sh -c "$(cat "$1")" < "$2"', [restoreScript, file], { DATA: folder });
  return Number(/^Restored (\d+) keys/.exec(printed)?.[1]);
}

/** @param {Service} service */
async function startReplica({ redis, redisUrl }) {
  const { port } = /** @type {import('../../deploy/local/harness/index.mjs').RunningRedis} */ (redis.running);
  // cspell:ignore replicaof
  const replica = await startRedis({ durable: true, config: { replicaof: `${HOST} ${port}` } });
  await waitUntil(`the replica has what ${redisUrl} has`, async () =>
    (await redisCommand(replica.url, ['INFO', 'replication'])).includes('master_link_status:up'),
  );
  return replica;
}

/** Reads the files that the lost Redis left. */
async function withLost(folder, use) {
  const lost = await startRedis({ folder, durable: true });
  try {
    return await use(lost.url);
  } finally {
    await lost.stop();
  }
}

/** Items that are billed, of each account. @returns {Promise<string[][]>} */
const itemsOf = (url, groups) =>
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

/** @param {string} folder of a gateway's journal @returns {import('./disaster-units.mjs').Late[]} */
const linesOfJournal = (folder) =>
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
function fill(url, accountId, units) {
  const [month, day] = [new Date().toISOString().slice(0, 7), String(new Date().getUTCDate())];
  const keys = [accountKey(accountId, 'ledger'), accountKey(accountId, 'usage')];
  return withRedis(url, async (redis) => {
    for (let from = 0; from < units; from += FILLED_AT_ONCE)
      await redis.eval(FILL, 2, ...keys, Math.min(FILLED_AT_ONCE, units - from), from, month, day);
  });
}
