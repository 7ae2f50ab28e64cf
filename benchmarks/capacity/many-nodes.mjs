/**
 * Places 1,000 pods of the GPU overlay on 100 nodes that KWOK simulates, and drains a zone. Scheduler, controllers and
 * API server are real; containers do not run, and a pod is ready as soon as KWOK says so.
 *
 * Needs kubectl with a cluster for this alone, such as `kwokctl create cluster` makes.
 */
import { runToEnd, waitUntil } from '../../deploy/local/harness/index.mjs';
import { atLeast, atMost } from '../lib/figures.mjs';
import { COMPONENT, HOST, overlayObjects, simulatedWorkloads, ZONE } from './many-pods.mjs';
import { LIMIT_MS, withSimulatedCluster } from './simulated-cluster.mjs';

/** @type {import('../lib/types').Measurement} */
export const manyNodes = {
  name: 'capacity/many-nodes',
  question:
    'Do the manifests keep pods spread and available on many nodes, and how long do placing and draining take?',
  onDemand: true,
  conditions: { nodes: 100, zones: 4, inference: 600, gateways: 75, web: 323 },
  quick: { nodes: 12, zones: 4, inference: 36, gateways: 9, web: 10 },

  async run({ nodes: count, zones, inference, gateways, web }, log) {
    return withSimulatedCluster({ nodes: count, zones }, async ({ api, nodes, pods }) => {
      const hosts = new Map(nodes.map(({ metadata }) => [metadata.name, metadata.labels[HOST]]));
      const zoneOf = new Map(nodes.map(({ metadata }) => [metadata.name, metadata.labels[ZONE]]));
      const replicas = { inference, gateway: gateways, web };
      // Both Redis have one pod.
      const total = inference + gateways + web + 2;
      const allReady = () =>
        waitUntil('all pods are ready', () => pods.ready() === total, { timeoutMs: LIMIT_MS });
      const placedMs = await timed(async () => {
        const workloads = simulatedWorkloads(overlayObjects('gpu'), replicas);
        for (const [path, object] of workloads) await api.apply(path, object);
        await allReady();
      });
      log(`${total} pods on ${count} nodes after ${(placedMs / 1e3).toFixed(0)} s`);
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
    });
  },

  summarize({ total, replicas, placedMs, placed, drainedMs, fewest }, { nodes, zones }) {
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
          replicas.inference - evictedAtOnce(replicas.inference),
        ),
        atLeast(
          'Fewest ready gateways while a zone drained',
          fewest.gateway,
          '',
          replicas.gateway - evictedAtOnce(replicas.gateway),
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

/** The budgets of both allow 10 %, which Kubernetes rounds up. @param {number} pods */
const evictedAtOnce = (pods) => Math.ceil(pods / 10);

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
