/**
 * The manifests with small processes in the place of the tiers: names, labels, controllers and Redis are those of the base,
 * so that the rules meet the series of a true installation on a cluster of any size.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { ROOT } from '../../../lib/paths.mjs';

/** Prints the base with components. */
const BUILD = join(ROOT, 'deploy/kubernetes/build.mjs');
export const NAMESPACE = 'presenza';
/** Redis of the keys has no alert of its own among those on pods. */
const LEFT_OUT = 'redis-keys';
const KINDS = new Set([
  'ServiceAccount',
  'Service',
  'ConfigMap',
  'Deployment',
  'StatefulSet',
  'CronJob',
  'HorizontalPodAutoscaler',
]);
/** While this file exists, a stand-in is not ready. */
export const AWAY = '/tmp/away';
const IDLE = ['sh', '-c', 'trap "exit 0" TERM; sleep infinity & wait'];
const SMALL = { requests: { cpu: '100m', memory: '32Mi' }, limits: { cpu: '200m', memory: '64Mi' } };

/**
 * @param {object} options
 * @param {string} options.image with Redis and a shell, empty: the image of the manifests
 * @param {string} options.storageClass of Redis's volume, empty: the default of the cluster
 * @param {number} options.volumeMiB
 * @returns {any[]} objects, first the namespace and the password of Redis
 */
export function standIns({ image, storageClass, volumeMiB }) {
  const manifests = execFileSync(process.execPath, [BUILD, 'autoscaling-gateway'], { encoding: 'utf8' });
  const all = parseAllDocuments(manifests).map((document) => document.toJS());
  const objects = all.filter(({ kind, metadata }) => KINDS.has(kind) && !metadata.name.startsWith(LEFT_OUT));
  const redis = image || containerOf(objects.find(isRedis)).image;
  for (const object of objects) {
    if (podOf(object)) shrink(object, redis);
    for (const { spec } of object.spec?.volumeClaimTemplates ?? []) {
      spec.resources.requests.storage = `${volumeMiB}Mi`;
      if (storageClass) spec.storageClassName = storageClass;
    }
    if (object.kind === 'HorizontalPodAutoscaler') hurry(object.spec);
  }
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'redis', namespace: NAMESPACE } };
  return [
    ...all.filter(({ kind }) => kind === 'Namespace'),
    { ...secret, stringData: { password: crypto.randomUUID() } },
    ...objects,
  ];
}

const isRedis = ({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === 'redis';
/** The specification of its pods, if it has any. */
const podOf = ({ spec }) => spec?.template?.spec ?? spec?.jobTemplate?.spec.template.spec;
const containerOf = (object) => podOf(object).containers[0];

/** @param {any} object with pods @param {string} image */
function shrink(object, image) {
  const container = containerOf(object);
  const isTier = container.image.startsWith('presenza/');
  Object.assign(container, { image, resources: SMALL });
  if (object.spec.replicas) object.spec.replicas = 1;
  if (!isTier) return;
  for (const part of ['args', 'env', 'ports', 'lifecycle', 'startupProbe', 'livenessProbe'])
    delete container[part];
  Object.assign(container, {
    command: IDLE,
    readinessProbe: { exec: { command: ['test', '!', '-e', AWAY] }, periodSeconds: 2, failureThreshold: 2 },
    volumeMounts: container.volumeMounts.filter(({ name }) => name === 'tmp'),
  });
  podOf(object).terminationGracePeriodSeconds = 2;
  delete object.spec.volumeClaimTemplates;
}

/** Scales from one pod to two and back without delay, on processor time alone. @param {any} spec */
function hurry(spec) {
  const scaleDown = {
    stabilizationWindowSeconds: 0,
    policies: [{ type: 'Pods', value: 1, periodSeconds: 15 }],
  };
  const metrics = spec.metrics.filter(({ type }) => type === 'Resource');
  Object.assign(spec, { minReplicas: 1, maxReplicas: 2, metrics, behavior: { ...spec.behavior, scaleDown } });
}
