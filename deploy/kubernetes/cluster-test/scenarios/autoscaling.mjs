// Autoscaling of the inference tier: on CPU by metrics-server, and on its queue by KEDA.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../../../gateway/harness/cli/paths.mjs';
import { WORKLOADS } from '../installation/installation.mjs';
import { REPLICAS } from '../installation/overlay.mjs';
import { reasonForNoResult, withScraping } from './prometheus.mjs';
import { Skip } from './scenario.mjs';

/**
 * @typedef {import('./scenario.mjs').Scenario} Scenario
 * @typedef {import('./scenario.mjs').World} World
 */

/** The least time for `kubectl wait` to end by itself first. */
const WAIT_MS = 330_000;
/** CPU of the request at which a pod is added. Requests are small, so the load of the test is enough. */
const UTILIZATION = 50;
const MOST = 3;
/** All pods have to be available this long after the autoscaler appears, when the load already exceeds its threshold. */
const READY_S = 60;

/** @param {World} world @param {number} begin when the autoscaler appeared, by `performance.now()` */
async function untilAllAvailable({ installation, check, note }, begin) {
  const available = `--for=jsonpath={.status.availableReplicas}=${MOST}`;
  await installation.run(['wait', '--timeout=5m', available, WORKLOADS.inference], { timeoutMs: WAIT_MS });
  const seconds = (performance.now() - begin) / 1e3;
  note(`${MOST} pods were available ${seconds.toFixed(0)} s after the autoscaler appeared under load`);
  check(seconds <= READY_S, `${MOST} pods took longer than ${READY_S} s`);
}

/** @type {Scenario} */
const autoscaling = {
  name: 'autoscaling',
  about: 'adds inference pods by CPU, from one to three',
  load: 3,
  withoutRetry: true,
  reasonToSkip: async ({ installation: { kubectl } }) =>
    (await kubectl.serves('metrics.k8s.io')) ? undefined : 'metrics.k8s.io is not served: no metrics-server',
  run: async (world) => {
    const { installation } = world;
    const { kubectl, namespace } = installation;
    await installation.scale('inference', 1);
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'inference' };
    const target = { type: 'Utilization', averageUtilization: UTILIZATION };
    await kubectl.apply([
      {
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'inference', namespace },
        spec: {
          scaleTargetRef,
          minReplicas: 1,
          maxReplicas: MOST,
          metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
        },
      },
    ]);
    const begin = performance.now();
    try {
      await untilAllAvailable(world, begin);
    } finally {
      await kubectl.uninterrupted.run(['--namespace', namespace, 'delete', 'hpa', 'inference']);
    }
    await installation.scale('inference', REPLICAS);
  },
};

/**
 * The ScaledObject of the component with the namespace of the test, and with thresholds that its load exceeds.
 * @param {string} namespace
 */
function scaledObject(namespace) {
  const file = join(ROOT, 'deploy/kubernetes/components/autoscaling-inference/scaled-object.yaml');
  const object = parse(
    readFileSync(file, 'utf8').replaceAll('namespace="presenza"', `namespace="${namespace}"`),
  );
  object.metadata.namespace = namespace;
  Object.assign(object.spec, { minReplicaCount: 1, maxReplicaCount: MOST });
  const [queue, busy] = object.spec.triggers;
  queue.metadata.threshold = '1';
  busy.metadata.threshold = '0.1';
  return object;
}

/** The address at which the component asks Prometheus. */
function serviceOfPrometheus() {
  const { hostname } = new URL(scaledObject('').spec.triggers[0].metadata.serverAddress);
  const [name = '', namespace = ''] = hostname.split('.');
  return { name, namespace };
}

/** @type {Scenario} */
const keda = {
  name: 'keda',
  about: 'adds inference pods by the queries of the component for KEDA, from one to three',
  load: 3,
  withoutRetry: true,
  reasonToSkip: async ({ installation: { kubectl } }) => {
    if (!(await kubectl.serves('keda.sh'))) return 'keda.sh is not served: no KEDA';
    const { name, namespace } = serviceOfPrometheus();
    const services = await kubectl.json(['--namespace', namespace, 'get', 'services']);
    const isThere = services.items.some((/** @type {any} */ { metadata }) => metadata.name === name);
    return isThere ? undefined : `there is no Service ${name} of Prometheus in the namespace ${namespace}`;
  },
  run: async (world) => {
    const { installation } = world;
    const object = scaledObject(installation.namespace);
    await withScraping(installation, serviceOfPrometheus().namespace, async () => {
      for (const { metadata } of object.spec.triggers) {
        const reason = await reasonForNoResult(installation, metadata);
        if (reason !== undefined) throw new Skip(reason);
      }
      await scaleBy(world, object);
    });
  },
};

/** @param {World} world @param {object} object the ScaledObject */
async function scaleBy(world, object) {
  const { installation } = world;
  const { kubectl, namespace } = installation;
  await installation.scale('inference', 1);
  await kubectl.apply([object]);
  const begin = performance.now();
  try {
    await installation.run(['wait', '--for=condition=Ready', 'scaledobject/inference', '--timeout=100s']);
    // KEDA makes this autoscaler. It becomes active once Prometheus has responded to a query.
    const hpa = 'hpa/keda-hpa-inference';
    await installation.run(['wait', '--for=create', hpa, '--timeout=60s']);
    await installation.run(['wait', '--for=condition=ScalingActive', hpa, '--timeout=100s']);
    await untilAllAvailable(world, begin);
  } finally {
    await kubectl.uninterrupted.run(['--namespace', namespace, 'delete', 'scaledobject', 'inference']);
  }
  await installation.scale('inference', REPLICAS);
}

export const autoscalingScenarios = [autoscaling, keda];
