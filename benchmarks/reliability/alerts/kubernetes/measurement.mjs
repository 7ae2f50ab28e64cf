/** Raises the alerts on pods with real faults in a real cluster, which kubectl points at. */
import { findProgram } from '../../../../gateway/harness/setup/system-packages.mjs';
import { findTool, KUSTOMIZE } from '../../../../gateway/harness/setup/tools.mjs';
import { zero } from '../../../lib/figures.mjs';
import { Skip } from '../../../lib/skip.mjs';
import { figuresOf, playRounds, tableOf } from '../play.mjs';
import { needPrometheus } from '../prometheus.mjs';
import { rounds } from './faults.mjs';
import { startRig } from './rig.mjs';

const alertsOf = (chains) => chains.flat(2).flatMap(({ alerts }) => alerts);

/** @type {import('../../../lib/types').Measurement} */
export const alertsKubernetes = {
  name: 'reliability/alerts-kubernetes',
  question:
    'Does a real fault in a Kubernetes cluster raise each alert on pods and volumes, and does its end resolve it?',
  onDemand: true,
  conditions: {
    /** Plays only faults whose name matches this expression. */
    only: '',
    /** Divides every duration of the rules. */
    factor: 20,
    firingMinutes: 5,
    resolvedMinutes: 10,
    /** `NAMESPACE/SERVICE:PORT` */
    kubeStateMetrics: 'kube-system/kube-state-metrics:8080',
    /** An image with Redis and a shell. If empty, the Redis image of the manifests. */
    image: '',
    /** The class of volumes with a file system of their own. If empty, the default of the cluster. */
    storageClass: '',
    volumeMiB: 1024,
  },
  quick: { only: '^readiness' },

  async run({ only, firingMinutes, resolvedMinutes, ...options }, log) {
    needPrometheus();
    if (!findProgram('kubectl')) throw new Skip('kubectl is missing.');
    if (!findTool(KUSTOMIZE)) throw new Skip('kustomize is missing: npm run test:slow installs it.');
    const rig = await startRig(options);
    try {
      const before = alertsOf(rounds).filter((alert) => rig.watch.stateOf(alert) !== 'inactive');
      const limits = { firingMs: 60e3 * firingMinutes, resolvedMs: 60e3 * resolvedMinutes };
      const chosen = rounds.map((round) =>
        round.map((chain) => chain.filter(({ name }) => new RegExp(only).test(name))),
      );
      return { rows: await playRounds(rig, chosen, limits, log), before };
    } finally {
      await rig.stop();
    }
  },

  summarize: ({ rows, before }, { factor }) => ({
    figures: [...figuresOf(rows), zero('Alerts on pods before any fault', before.length)],
    tables: [
      tableOf(
        rows,
        factor,
        'The namespace has the workloads of the manifests with one pod each; processes that only wait take the place of the tiers, and Redis is real. kube-state-metrics and the kubelet are those of the cluster. The autoscaler scales from one pod to two and back without delay; the kubelet measures volumes once a minute.',
      ),
    ],
  }),
};
