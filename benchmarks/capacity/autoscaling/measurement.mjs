/**
 * Lets KEDA scale simulated inference pods under a recorded load, in real time. KEDA, the HorizontalPodAutoscaler, the
 * scheduler and the ScaledObject of the production overlay are real. Modeled are the requests, the pods that serve them,
 * and Prometheus: its address and the largest number of pods are the only changes of the ScaledObject. A pod is ready
 * after its measured start and one period of its startup probe. Nodes for all pods are there from the beginning.
 *
 * Needs kubectl with a cluster for this alone, such as kwokctl makes with the CRD `Stage` enabled, and KEDA as
 * processes on this machine, because the pods of simulated nodes do not run.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { waitUntil } from '../../../deploy/local/harness/index.mjs';
import { readResult } from '../../lib/results.mjs';
import { Skip } from '../../lib/skip.mjs';
import { COMPONENT, NAMESPACE, overlayObjects, simulatedWorkloads } from '../many-pods.mjs';
import { PRODUCT } from '../model.mjs';
import { LIMIT_MS, withSimulatedCluster } from '../simulated-cluster.mjs';
import { Scrapes, servePrometheus } from './prometheus.mjs';
import { rateAt, recordedLoad, startsOf } from './recorded-load.mjs';
import { summarize } from './summary.mjs';
import { measuredPod, TierModel } from './tier-model.mjs';

/** @typedef {import('../kubernetes-api.mjs').KubernetesApi} KubernetesApi */
/** @typedef {import('../kubernetes-api.mjs').KubernetesObject} KubernetesObject */

const TIER = 'inference';
const DEPLOYMENTS = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`;
const SCALED_OBJECT = `/apis/keda.sh/v1alpha1/namespaces/${NAMESPACE}/scaledobjects/${TIER}`;
const EXTERNAL_METRICS = '/apis/external.metrics.k8s.io/v1beta1';
/** By which KWOK makes pods ready. */
const READY_STAGE = { apiVersion: 'kwok.x-k8s.io/v1alpha1', kind: 'Stage', metadata: { name: 'pod-ready' } };
const READY_STAGE_PATH = `/apis/${READY_STAGE.apiVersion}/stages/${READY_STAGE.metadata.name}`;
const TICK_MS = 250;

/** @type {import('../../lib/types').Measurement} */
export const autoscaling = {
  name: 'capacity/autoscaling',
  question:
    'How fast does the number of inference pods follow a load, what is refused meanwhile, and how many pod-hours does it take?',
  onDemand: true,
  conditions: { load: 'spike', rateFactor: 10, timeFactor: 30, maxPods: 100, nodes: 20, zones: 4 },
  quick: { rateFactor: 1, timeFactor: 3, nodes: 4 },

  async run({ load, rateFactor, timeFactor, maxPods, nodes, zones }, log) {
    const phases = recordedLoad(load, { rateFactor, timeFactor });
    const pod = measuredPod(readResult('capacity/service-times').data, PRODUCT.maxQueue);
    return withSimulatedCluster({ nodes, zones }, async ({ api, pods }) => {
      await needKeda(api);
      const objects = overlayObjects('production').filter(
        ({ metadata }) => metadata.labels?.[COMPONENT] === TIER,
      );
      const ofKind = (/** @type {string} */ kind) => objects.find((object) => object.kind === kind);
      const [scaled, deployment] = [ofKind('ScaledObject'), ofKind('Deployment')];
      const scrapes = new Scrapes();
      const prometheus = await servePrometheus(queriesOf(scaled, scrapes));
      const startSeconds = startSecondsOf(deployment);
      try {
        await api.apply(READY_STAGE_PATH, {
          ...READY_STAGE,
          spec: { delay: { durationMilliseconds: Math.round(1e3 * startSeconds) } },
        });
        for (const [path, object] of simulatedWorkloads(objects)) await api.apply(path, object);
        scaled.spec.maxReplicaCount = maxPods;
        for (const { metadata } of scaled.spec.triggers) metadata.serverAddress = prometheus.url;
        // Prometheus knows an idle tier from before.
        const threads = scaled.spec.minReplicaCount * pod.workers;
        scrapes.add({ second: 0, queue: 0, modelSeconds: 0, threads });
        await api.apply(SCALED_OBJECT, scaled);
        await waitUntil('the first pods are ready', () => pods.ready(TIER) === scaled.spec.minReplicaCount, {
          timeoutMs: LIMIT_MS,
        });
        const samples = await follow({
          api,
          phases,
          tier: new TierModel(pod),
          scrapes,
          scrapeSeconds: Number.parseInt(ofKind('ServiceMonitor').spec.endpoints[0].interval, 10),
          ready: () => pods.readyNames(TIER),
          log,
        });
        return { phases, pod, startSeconds, samples };
      } finally {
        await prometheus.stop();
        // Without the delay, the API server removes the one that an earlier call set.
        await api.apply(READY_STAGE_PATH, READY_STAGE);
      }
    });
  },

  summarize,
};

/** @param {KubernetesApi} api */
async function needKeda(api) {
  for (const [path, what] of [
    [EXTERNAL_METRICS, 'External metrics are not served: start KEDA.'],
    [READY_STAGE_PATH, 'The cluster has no Stage "pod-ready" of KWOK: enable its CRD.'],
  ])
    await api.get(path).catch(() => {
      throw new Skip(what);
    });
}

/** @param {KubernetesObject} scaled @param {Scrapes} scrapes */
function queriesOf(scaled, scrapes) {
  /** @type {Record<string, () => number | undefined>} */
  const values = { queue: () => scrapes.queue(), busy: () => scrapes.busy() };
  return new Map(
    scaled.spec.triggers.map((/** @type {any} */ { name, metadata }) => [metadata.query, values[name]]),
  );
}

/** @param {KubernetesObject} deployment */
function startSecondsOf(deployment) {
  const [{ value }] = readResult('load/start').figures;
  return value + deployment.spec.template.spec.containers[0].startupProbe.periodSeconds;
}

/**
 * Runs the load, and takes a sample each second.
 * @param {object} options
 * @param {KubernetesApi} options.api
 * @param {readonly import('./recorded-load.mjs').Phase[]} options.phases
 * @param {TierModel} options.tier
 * @param {Scrapes} options.scrapes
 * @param {number} options.scrapeSeconds
 * @param {() => readonly string[]} options.ready names of ready pods
 * @param {(line: string) => void} options.log
 */
async function follow({ api, phases, tier, scrapes, scrapeSeconds, ready, log }) {
  let wanted = 0;
  const take = (/** @type {KubernetesObject} */ { spec }) => {
    wanted = spec.replicas;
  };
  await api.watch(DEPLOYMENTS, { onList: ([first]) => take(first), onEvent: ({ object }) => take(object) });
  const end = Math.round((startsOf(phases).at(-1) ?? 0) + (phases.at(-1)?.seconds ?? 0));
  const samples = [];
  const begin = performance.now();
  for (let last = 0; last < end; ) {
    await wait(TICK_MS);
    const now = Math.min(end, (performance.now() - begin) / 1e3);
    const names = ready();
    const requests = rateAt(phases, (last + now) / 2) * (now - last);
    tier.advance({ seconds: now - last, requests, ready: names });
    const second = Math.floor(now);
    if (second > last) {
      const { queue, served, refused, modelSeconds, threads } = tier;
      const sample = { second, wanted, ready: names.length, queue, served, refused };
      samples.push(sample);
      if (second % scrapeSeconds === 0) scrapes.add({ second, queue, modelSeconds, threads });
      if (second % 60 === 0) log(`${second} s: ${wanted} pods wanted, ${sample.ready} ready`);
    }
    last = now;
  }
  return samples;
}
