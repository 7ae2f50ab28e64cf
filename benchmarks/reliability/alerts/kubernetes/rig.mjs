/** Stand-ins of the tiers in the cluster that kubectl points at, and a Prometheus that scrapes the cluster's metrics. */
import { execFileSync } from 'node:child_process';
import { waitUntil } from '../../../../gateway/harness/index.mjs';
import { Kubectl } from '../../../../gateway/harness/kubectl.mjs';
import { Skip } from '../../../lib/skip.mjs';
import { startPrometheus } from '../prometheus.mjs';
import { startKubectlProxy } from './kubectl-proxy.mjs';
import { NAMESPACE, standIns } from './stand-ins.mjs';

/** @typedef {Awaited<ReturnType<typeof startRig>>} Rig */

const READY = ['deployment/web', 'deployment/inference', 'statefulset/gateway', 'statefulset/redis'];
const GONE_MS = 300_000;

/**
 * @param {object} options
 * @param {number} options.factor that divides all durations of the rules
 * @param {string} options.kubeStateMetrics `NAMESPACE/SERVICE:PORT`
 * @param {string} options.image
 * @param {string} options.storageClass
 * @param {number} options.volumeMiB
 */
export async function startRig({ factor, kubeStateMetrics, ...stand }) {
  const cluster = new Kubectl(undefined);
  const [namespace, service] = kubeStateMetrics.split('/');
  const stateMetrics = `/api/v1/namespaces/${namespace}/services/${service}/proxy/metrics`;
  const { items: nodes } = await cluster.json(['get', 'nodes']).catch((error) => {
    throw new Skip(`kubectl reaches no cluster: ${error.message}`);
  });
  await cluster.run(['get', '--raw', stateMetrics]).catch(() => {
    throw new Skip(`kube-state-metrics does not respond at ${kubeStateMetrics}: see --kubeStateMetrics.`);
  });
  const [first, ...rest] = standIns(stand);
  const { code, stderr } = await cluster.attempt(['create', '--filename', '-'], {
    input: JSON.stringify(first),
  });
  if (code !== 0) throw new Skip(`The namespace ${NAMESPACE} cannot be created: ${stderr.trim()}`);

  /** @type {(() => unknown)[]} */
  const closers = [removeAtExit()];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    await cluster.apply(rest);
    const kubectl = (/** @type {string[]} */ ...args) => cluster.run(['--namespace', NAMESPACE, ...args]);
    for (const workload of READY) await kubectl('rollout', 'status', workload, '--timeout=110s');
    const { address, stop: stopProxy } = await startKubectlProxy();
    closers.push(stopProxy);
    const watch = await startPrometheus(
      [
        { job: 'kube-state-metrics', address, path: stateMetrics },
        ...nodes.map(({ metadata: { name } }) => ({
          job: 'kubelet',
          address,
          path: `/api/v1/nodes/${name}/proxy/metrics`,
          instance: name,
        })),
      ],
      factor,
    );
    closers.push(() => watch.stop());
    const available = `kube_deployment_status_replicas_available{namespace="${NAMESPACE}",deployment="web"}`;
    await waitUntil(
      'Prometheus scrapes kube-state-metrics and every node',
      async () => (await watch.query(available))[0] === 1 && (await watch.query('min(up)'))[0] === 1,
      { intervalMs: 500 },
    );
    const hasMetrics = await cluster.serves('metrics.k8s.io');
    return { watch, kubectl, stop, hasMetrics, volumeMiB: stand.volumeMiB };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Removes the namespace when this program ends, however it does. @returns {() => void} removes it at once */
function removeAtExit() {
  const args = ['delete', 'namespace', NAMESPACE, '--ignore-not-found'];
  const leave = () => execFileSync('kubectl', [...args, '--wait=false']);
  process.once('exit', leave);
  return () => {
    execFileSync('kubectl', [...args, `--timeout=${GONE_MS / 1e3}s`]);
    process.off('exit', leave);
  };
}
