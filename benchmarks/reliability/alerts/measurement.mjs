/** Raises the alerts of the repository with real faults: a real Prometheus scrapes the service while parts of it fail. */
import { needProc } from '../../lib/tier.mjs';
import { rounds } from './faults.mjs';
import { leak, startLeakingGateway } from './leaking-gateway.mjs';
import { notFired } from './not-fired.mjs';
import { figuresOf, playRounds, tableOf } from './play.mjs';
import { needPrometheus } from './prometheus.mjs';
import { startRig } from './rig.mjs';

const NO_EXPORTER = 'redis_exporter is not on the PATH.';

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
    const leaks = [leak(factor)].filter((fault) => isChosen(fault, faults, only));
    let leaking;
    try {
      if (leaks.length > 0) leaking = await startLeakingGateway(factor, rig.service.inferenceUrl);
      const limits = { firingMs: 60e3 * firingMinutes, resolvedMs: 60e3 * resolvedMinutes };
      const chosen = rounds.map((round) =>
        round.map((chain) => chain.filter((fault) => isChosen(fault, faults, only))),
      );
      const possible = chosen.map((round) =>
        round.map((chain) => chain.map((fault) => (rig.hasExporter ? withExported(fault) : fault))),
      );
      const rows = await Promise.all([
        playRounds(rig, possible, limits, log),
        ...(leaking ? [playRounds(leaking, [[leaks]], limits, log)] : []),
      ]);
      return { rows: [...rows.flat(), ...(rig.hasExporter ? [] : chosen.flat(2).flatMap(untried))] };
    } finally {
      await leaking?.stop();
      await rig.stop();
    }
  },

  summarize: ({ rows }, { faults, factor }) => ({
    ...(faults !== 'all' && { variant: faults }),
    figures: figuresOf(rows),
    tables: [
      tableOf(rows, factor, 'The other traffic is four analyses a second.'),
      {
        title: 'Alerts not raised here',
        columns: 'Alert | Why not',
        rows: Object.entries(notFired),
        remark:
          'Their rules have unit tests only. reliability/alerts-kubernetes raises the alerts that need a cluster.',
      },
    ],
  }),
};

/** @param {{ name: string, lastsS?: number }} fault @param {string} faults @param {string} only */
const isChosen = ({ name, lastsS }, faults, only) =>
  (faults === 'all' || (faults === 'lasting') === (lastsS !== undefined)) && new RegExp(only).test(name);

/** @param {import('./faults.mjs').Fault} fault */
const withExported = (fault) => ({ ...fault, alerts: [...(fault.alerts ?? []), ...(fault.exported ?? [])] });

/** @param {import('./faults.mjs').Fault} fault @returns {import('./play.mjs').Row[]} */
const untried = ({ name, exported = [] }) =>
  exported.map((alert) => ({ alert, fault: name, reason: NO_EXPORTER, untried: true }));
