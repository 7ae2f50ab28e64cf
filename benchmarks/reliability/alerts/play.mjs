/** Plays faults, and keeps when each of their alerts fired and was resolved. */
import { zero } from '../../lib/figures.mjs';
import { figure } from '../../lib/report.mjs';
import { Skip } from '../../lib/skip.mjs';
import { msOf, readAlerts } from './scaled-rules.mjs';

/** @typedef {import('./prometheus.mjs').AlertWatch} AlertWatch */
/**
 * @template Rig
 * @typedef {object} Fault
 * @property {string} name
 * @property {readonly string[]} [alerts]
 * @property {number} [lastsS] how long it has to last, where its rule takes minutes although it is divided
 * @property {(rig: Rig) => unknown} begin returns what `end` needs; throws Skip where the fault is not possible
 * @property {(rig: Rig, begun: any) => unknown} end resolves when the fault is over
 */
/**
 * @typedef {object} Row
 * @property {string} alert
 * @property {string} fault
 * @property {number | undefined} [pendingS] from the begin of the fault; also of alerts that fire at once
 * @property {number | undefined} [firingS] from the begin of the fault
 * @property {number | undefined} [faultS] how long the fault lasted
 * @property {number | undefined} [resolvedS] from the end of the fault
 * @property {string} [reason] why it did not fire or resolve
 * @property {boolean} [untried] the fault was not possible
 */

const EARLIER = 'An earlier fault had raised it and it did not resolve in time.';

/**
 * Plays the chains of a round side by side, and the faults of a chain one after the other.
 * @template {{ watch: AlertWatch }} Rig
 * @param {Rig} rig
 * @param {readonly (readonly (readonly Fault<Rig>[])[])[]} rounds
 * @param {{ firingMs: number, resolvedMs: number }} limits
 * @param {(line: string) => void} log
 */
export async function playRounds(rig, rounds, limits, log) {
  /** @type {Row[]} */
  const rows = [];
  const played = [];
  const playChain = async (chain) => {
    for (const fault of chain) played.push(await play(rig, fault, limits, rows, log));
  };
  for (const round of rounds) await Promise.all(round.map(playChain));
  log('all faults are over; waiting until the last alerts are resolved');
  await Promise.all(played.map(({ resolving }) => resolving));
  return rows;
}

/**
 * Plays one fault until each of its alerts fires. They resolve while the next fault already lasts.
 * @template {{ watch: AlertWatch }} Rig
 * @param {Rig} rig
 * @param {Fault<Rig>} fault
 * @param {{ firingMs: number, resolvedMs: number }} limits
 * @param {Row[]} rows
 * @param {(line: string) => void} log
 */
async function play(rig, { name, alerts = [], lastsS = 0, begin, end }, limits, rows, log) {
  const { watch } = rig;
  if (alerts.length === 0) return { resolving: undefined };
  // One that an earlier fault raised would prove nothing.
  await Promise.all(alerts.map((alert) => watch.until(alert, 'inactive', limits.resolvedMs).catch(() => {})));
  log(name);
  const from = performance.now();
  const since = (at) => (at === undefined ? undefined : (at - from) / 1e3);
  const raised = alerts.map((alert) => /** @type {Row} */ ({ alert, fault: name }));
  rows.push(...raised);
  let begun;
  try {
    begun = await begin(rig);
  } catch (error) {
    if (!(error instanceof Skip)) throw error;
    for (const row of raised) Object.assign(row, { reason: error.message, untried: true });
    log(`  not possible: ${error.message}`);
    return { resolving: undefined };
  }
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
export function figuresOf(rows) {
  const caused = rows.filter(({ untried }) => !untried);
  const missed = caused.filter(({ firingS }) => firingS === undefined);
  const stuck = caused.filter(({ firingS, resolvedS }) => firingS !== undefined && resolvedS === undefined);
  const sample = { n: caused.length, items: 'alerts', hits: missed.length };
  return [
    zero('Alerts that their fault did not raise', missed.length, sample),
    zero('Alerts that did not resolve after their fault', stuck.length),
  ];
}

/** @param {readonly Row[]} rows @param {number} factor @param {string} context @returns {import('../../lib/types').Table} */
export function tableOf(rows, factor, context) {
  const rules = readAlerts();
  const seconds = (value) => (value === undefined ? null : figure(value));
  return {
    title: 'Alerts that a fault was to raise',
    columns:
      'Alert | Fault | `for` of the rule, s | The same, divided, s | Pending after, s | Firing after, s | Fault, s | Resolved after its end, s | Remark',
    rows: rows.map(({ alert, fault, pendingS, firingS, faultS, resolvedS, reason }) => {
      const waitS = msOf(rules.get(alert)?.for ?? '') / 1e3;
      return [
        alert,
        fault,
        waitS,
        figure(waitS / factor),
        seconds(pendingS),
        seconds(firingS),
        seconds(faultS),
        seconds(resolvedS),
        reason ?? '',
      ];
    }),
    remark: `A real Prometheus with the repository's rules, in which every duration (\`for\`, ranges, offsets, intervals) is divided by ${figure(factor)}; thresholds are unchanged, also those in seconds. So the times show that an alert fires and resolves, and are not those of production: ranges of an hour are ${figure(3_600 / factor)} s here. Pending and firing count from the begin of the fault; an alert without \`for\` fires at once. ${context}`,
  };
}
