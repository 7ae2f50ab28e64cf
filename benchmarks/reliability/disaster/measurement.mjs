/**
 * Loses the machine of Redis during a steady load, restores it by the steps of the documentation, and accounts for
 * every unit: those of the backup, of the journals, after the restore, and those that are lost.
 */
import { withFolder } from '../../../gateway/harness/index.mjs';
import { smallImages } from '../../../gateway/harness/small-images.mjs';
import { atMost, zero } from '../../lib/figures.mjs';
import { figure, range } from '../../lib/report.mjs';
import { spread, sum } from '../../lib/stats.mjs';
import { plans, play } from './loss.mjs';

const IMAGES = 3;
/** Clients notice a slower recovery as another outage. */
const RECOVERY_S = 10;

/** Kinds of loss. */
const ways = {
  backup: {},
  'backup, session keys lost too': { losesKeys: true },
  replica: { hasReplica: true },
};

/** @type {import('../../lib/types').Measurement} */
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
    rounds: 1,
    ledgerUnits: 20_000,
    only: 'backup',
    beforeSeconds: 3,
    sinceSeconds: 4,
    awaySeconds: 4,
    afterSeconds: 4,
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
    const accounts = rows.flatMap((row) => row.accounts.map((account) => ({ way: row.way, ...account })));
    const units = { n: sum(accounts.map((account) => account.succeeded)), items: 'units' };
    const none = (what, key) =>
      zero(what, sum(accounts.map((account) => Math.abs(account.balance[key] ?? account[key]))), units);
    const timesOf = (way) =>
      Object.fromEntries(
        Object.keys(rows[0].times).map((name) => {
          const values = rows.filter((row) => row.way === way).flatMap(({ times }) => times[name] ?? []);
          return [name, values.length > 0 ? spread(values) : null];
        }),
      );
    const timesByWay = [...new Set(rows.map(({ way }) => way))].map((way) => ({ way, ...timesOf(way) }));
    const lostOf = (way) =>
      sum(accounts.filter((account) => account.way === way).map(({ balance }) => balance.lost));
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
          { n: rows.length, items: 'losses' },
        ),
      ],
      tables: [
        {
          title: 'Times, s',
          columns: `Way | n | ${Object.values(timeNames).join(' | ')}`,
          rows: timesByWay.map((wayTimes) => [
            wayTimes.way,
            rows.filter(({ way }) => way === wayTimes.way).length,
            ...Object.keys(timeNames).map((name) => (wayTimes[name] ? range(wayTimes[name]) : '–')),
          ]),
          remark: `Median and range. Seed ${seed}. ${figure(2 * conditions.perSecond)} operations a second; a ledger of ${conditions.ledgerUnits} further units; the backup has ${sizes.keys} keys and ${figure(sizes.backupBytes / 1e6)} MB. The machine is lost without a sign: connections stay open and silent. The times after the return of Redis count from the moment that its address responds again; gateways are not restarted.`,
        },
        {
          title: 'Units',
          columns:
            'Way | Account | Succeeded | In the backup | In journals | After the restore | Lost | Billed twice | Not billed',
          rows: timesByWay.flatMap(({ way }) =>
            Object.keys(plans).map((kind) => {
              const ofKind = accounts.filter((account) => account.way === way && account.kind === kind);
              const sumOf = (key) => sum(ofKind.map(({ balance }) => balance[key]));
              return [
                way,
                kind,
                sum(ofKind.map((account) => account.succeeded)),
                ...['atBackup', 'journaled', 'since', 'lost', 'twice', 'unbilled'].map(sumOf),
              ];
            }),
          ),
          remark:
            'Sums of all rounds. Lost: billed by the lost Redis and absent afterward, counted in its last files, which nothing else reads. For a replica, "in the backup" is what it had when it was promoted.',
        },
        {
          title: 'Responses while Redis was unavailable',
          columns: 'Way | Account | Attempts by status | Served | Retry-After, s',
          rows: accounts.map(({ way, kind, away }) => [
            way,
            kind,
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
          rows: timesByWay.map(({ way }) => [
            way,
            ...Object.values(rows.find((row) => row.way === way).trials),
          ]),
          remark: 'Status of the response.',
        },
      ],
      data: {
        ways: Object.fromEntries(timesByWay.map(({ way, ...times }) => [way, times])),
        n: conditions.rounds,
        ...sizes,
        ledgerUnits: conditions.ledgerUnits,
        lost: Object.fromEntries(timesByWay.map(({ way }) => [way, lostOf(way)])),
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
