/** Raises the alerts of the repository with real faults: a real Prometheus scrapes the service while parts of it fail. */
import { zero } from '../../lib/figures.mjs';
import { figure } from '../../lib/report.mjs';
import { needProc } from '../../lib/tier.mjs';
import { rounds } from './faults.mjs';
import { notFired } from './not-fired.mjs';
import { needPrometheus } from './prometheus.mjs';
import { startRig } from './rig.mjs';
import { msOf, readAlerts } from './scaled-rules.mjs';

/** @typedef {import('./faults.mjs').Fault} Fault */
/** @typedef {import('./rig.mjs').Rig} Rig */

/** Of the run so far. */
const LONGEST_QUEUE = 'max_over_time(sum(presenza_inference_queue_length)[1h:1s])';
const NO_EXPORTER = 'redis_exporter is not on the PATH.';
const EARLIER = 'An earlier fault had raised it and it did not resolve in time.';

/**
 * @typedef {object} Row
 * @property {string} alert
 * @property {string} fault
 * @property {number | undefined} [pendingS] from the begin of the fault; also of alerts that fire at once
 * @property {number | undefined} [firingS] from the begin of the fault
 * @property {number | undefined} [faultS] how long the fault lasted
 * @property {number | undefined} [resolvedS] from the end of the fault
 * @property {string} [reason] why it did not fire or resolve
 */

/** @type {import('../../lib/types').Measurement} */
export const alerts = {
  name: 'reliability/alerts',
  question: 'Does a real fault raise each alert in a real Prometheus, and does its end resolve it?',
  conditions: {
    /** `short`, `lasting` (those that have to last for minutes, see `lastsS`) or `all`. */
    faults: 'all',
    /** Plays only faults whose name matches this expression. */
    only: '',
    /** Divides every duration of the rules. */
    factor: 40,
    firingMinutes: 2,
    resolvedMinutes: 15,
  },
  quick: { only: '^inference killed', resolvedMinutes: 1 },

  async run({ faults, only, factor, firingMinutes, resolvedMinutes }, log) {
    needProc();
    needPrometheus();
    const rig = await startRig(factor);
    try {
      const limits = { firingMs: 60e3 * firingMinutes, resolvedMs: 60e3 * resolvedMinutes };
      /** @type {Row[]} */
      const rows = [];
      const played = [];
      const playChain = async (chain) => {
        for (const fault of chain.filter((one) => isChosen(one, faults, only)))
          played.push(await play(rig, fault, limits, rows, log));
      };
      for (const round of rounds) await Promise.all(round.map(playChain));
      log('all faults are over; waiting until the last alerts are resolved');
      await Promise.all(played.map(({ resolving }) => resolving));
      const [longestQueue = 0] = await rig.watch.query(LONGEST_QUEUE);
      return { rows, longestQueue };
    } finally {
      await rig.stop();
    }
  },

  summarize: ({ rows, longestQueue }, { faults, factor }) => ({
    ...(faults !== 'all' && { variant: faults }),
    figures: figuresOf(rows),
    tables: tablesOf(rows, longestQueue, factor),
  }),
};

/** @param {Fault} fault @param {string} faults @param {string} only */
const isChosen = ({ name, lastsS }, faults, only) =>
  (faults === 'all' || (faults === 'lasting') === (lastsS !== undefined)) && new RegExp(only).test(name);

/**
 * Plays one fault until each of its alerts fires. They resolve while the next fault already lasts.
 * @param {Rig} rig @param {Fault} fault @param {{ firingMs: number, resolvedMs: number }} limits @param {Row[]} rows
 * @param {(line: string) => void} log
 */
async function play(
  rig,
  { name, alerts: own = [], exported = [], lastsS = 0, begin, end },
  limits,
  rows,
  log,
) {
  const { watch } = rig;
  const missing = rig.hasExporter ? [] : exported;
  for (const alert of missing) rows.push({ alert, fault: name, reason: NO_EXPORTER });
  const wanted = [...own, ...(rig.hasExporter ? exported : [])];
  if (wanted.length === 0) return { resolving: undefined };
  // One that an earlier fault raised would prove nothing.
  await Promise.all(wanted.map((alert) => watch.until(alert, 'inactive', limits.resolvedMs).catch(() => {})));
  log(name);
  const from = performance.now();
  const since = (at) => (at === undefined ? undefined : (at - from) / 1e3);
  const raised = wanted.map((alert) => /** @type {Row} */ ({ alert, fault: name }));
  rows.push(...raised);
  const begun = await begin(rig);
  await Promise.all(
    raised.map(async (row) => {
      await watch.until(row.alert, 'firing', limits.firingMs + 1e3 * lastsS).catch((error) => {
        row.reason = error.message;
      });
      row.pendingS = since(watch.firstSince(row.alert, ['pending', 'firing'], from));
      row.firingS = since(watch.firstSince(row.alert, ['firing'], from));
      if (row.firingS === undefined) row.reason ??= EARLIER;
      log(
        `  ${row.alert}: ${row.firingS === undefined ? 'did NOT fire' : `firing after ${figure(row.firingS)} s`}`,
      );
    }),
  );
  const to = performance.now();
  await end(rig, begun);
  const over = performance.now();
  const resolving = Promise.all(
    raised.map(async (row) => {
      row.faultS = (to - from) / 1e3;
      if (row.firingS === undefined) return;
      await watch.until(row.alert, 'inactive', limits.resolvedMs).catch((error) => {
        row.reason = error.message;
      });
      const at = watch.firstSince(row.alert, ['inactive'], to);
      if (at !== undefined) row.resolvedS = Math.max(0, (at - over) / 1e3);
      log(
        `  ${row.alert}: ${at === undefined ? 'did NOT resolve' : `resolved after ${figure(row.resolvedS ?? 0)} s`}`,
      );
    }),
  );
  return { resolving };
}

/** @param {readonly Row[]} rows */
function figuresOf(rows) {
  const caused = rows.filter(({ reason }) => reason !== NO_EXPORTER);
  const missed = caused.filter(({ firingS }) => firingS === undefined);
  const stuck = caused.filter(({ firingS, resolvedS }) => firingS !== undefined && resolvedS === undefined);
  const sample = { n: caused.length, of: 'alerts', hits: missed.length };
  return [
    zero('Alerts that their fault did not raise', missed.length, sample),
    zero('Alerts that did not resolve after their fault', stuck.length),
  ];
}

/** @param {readonly Row[]} rows @param {number} longestQueue @param {number} factor @returns {import('../../lib/types').Table[]} */
function tablesOf(rows, longestQueue, factor) {
  const rules = readAlerts();
  const seconds = (value) => (value === undefined ? null : figure(value));
  return [
    {
      title: 'Alerts that a fault was to raise',
      columns:
        'Alert | Fault | `for` of the rule, s | The same, divided, s | Pending after, s | Firing after, s | Fault, s | Resolved after its end, s | Remark',
      rows: rows.map(({ alert, fault, pendingS, firingS, faultS, resolvedS, reason }) => {
        const waitS = msOf(rules.get(alert)?.for ?? '') / 1e3;
        return [
          ...[alert, fault, waitS, figure(waitS / factor), seconds(pendingS), seconds(firingS)],
          ...[seconds(faultS), seconds(resolvedS), reason ?? ''],
        ];
      }),
      remark: `A real Prometheus with the repository's rules, in which every duration (\`for\`, ranges, offsets, intervals) is divided by ${figure(factor)}; thresholds are unchanged, also those in seconds. So the times show that an alert fires and resolves, and are not those of production: ranges of an hour are ${figure(3_600 / factor)} s here. Pending and firing count from the begin of the fault; an alert without \`for\` fires at once. The other traffic is four analyses a second.`,
    },
    {
      title: 'Alerts not raised here',
      columns: 'Alert | Why not',
      rows: Object.entries(notFired),
      remark: `Their rules have unit tests only. The longest queue of this run was ${longestQueue}.`,
    },
  ];
}
