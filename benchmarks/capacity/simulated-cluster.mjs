/** An empty cluster with nodes that KWOK simulates, and the pods of Presenza in it. */
import { waitUntil } from '../../deploy/local/harness/index.mjs';
import { findProgram } from '../../deploy/local/setup/system-packages.mjs';
import { findTool, KUSTOMIZE } from '../../deploy/local/setup/tools.mjs';
import { Skip } from '../lib/skip.mjs';
import { withKubernetes } from './kubernetes-api.mjs';
import { NAMESPACE, simulatedNodes } from './many-pods.mjs';
import { WatchedPods } from './watched-pods.mjs';

/** @typedef {import('./kubernetes-api.mjs').KubernetesApi} KubernetesApi */
/** @typedef {ReturnType<typeof simulatedNodes>} Nodes */

const NODES = '/api/v1/nodes';
const NAMESPACES = '/api/v1/namespaces';
const PODS = `${NAMESPACES}/${NAMESPACE}/pods`;
/** Of each step, on a machine of two cores. */
export const LIMIT_MS = 1_800_000;

/**
 * Creates nodes and the namespace, and removes both with all pods at the end.
 * @template T
 * @param {{ nodes: number, zones: number }} size
 * @param {(cluster: { api: KubernetesApi, nodes: Nodes, pods: WatchedPods }) => Promise<T>} use
 * @returns {Promise<T>}
 * @throws {Skip} if there is no cluster, or one with nodes or the namespace of others
 */
export async function withSimulatedCluster({ nodes: count, zones }, use) {
  if (!findProgram('kubectl')) throw new Skip('kubectl is missing.');
  if (!findTool(KUSTOMIZE)) throw new Skip('kustomize is missing: npm run test:slow installs it.');
  return withKubernetes(async (api) => {
    await refuseOthers(api);
    await createNamespace(api);
    const nodes = simulatedNodes(count, zones);
    const pods = new WatchedPods();
    try {
      for (const node of nodes) await api.apply(`${NODES}/${node.metadata.name}`, node);
      // A node has a taint until it is ready, and spread leaves out nodes with taints.
      await waitUntil('no node has a taint', async () => {
        const { items } = await api.get(NODES);
        return items.every((/** @type {any} */ { spec }) => !spec.taints);
      });
      await api.watch(PODS, {
        onList: (objects) => pods.begin(objects),
        onEvent: (event) => pods.take(event),
      });
      return await use({ api, nodes, pods });
    } finally {
      await removeNamespace(api);
      for (const { metadata } of nodes) await api.remove(`${NODES}/${metadata.name}`).catch(() => {});
    }
  });
}

/** The measurement creates and deletes nodes, so it refuses a cluster that has others. @param {KubernetesApi} api */
async function refuseOthers(api) {
  const { items } = await api.get(NODES).catch((/** @type {Error} */ error) => {
    throw new Skip(`kubectl points at no cluster: ${error.message}`);
  });
  if (items.length > 0) throw new Skip('The cluster has nodes: use an empty one of KWOK.');
}

/**
 * Creates the namespace, which the measurement deletes: one that is there already may hold an installation without nodes.
 * @param {KubernetesApi} api
 */
async function createNamespace(api) {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
  await api.create(NAMESPACES, namespace).catch((/** @type {Error} */ error) => {
    throw new Skip(`The namespace ${NAMESPACE} cannot be created: ${error.message}`);
  });
}

/** The nodes have to stay until its pods have ended. @param {KubernetesApi} api */
async function removeNamespace(api) {
  const path = `${NAMESPACES}/${NAMESPACE}`;
  const isGone = () =>
    api.get(path).then(
      () => false,
      () => true,
    );
  await api.remove(path).catch(() => {});
  await waitUntil('the namespace is gone', isGone, { timeoutMs: LIMIT_MS, intervalMs: 1_000 });
}
