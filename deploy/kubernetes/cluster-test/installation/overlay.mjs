// The manifests of a run: overlays/local in another namespace, with two pods of each tier.

/**
 * @typedef {import('./options.mjs').Images} Images
 * @typedef {import('../network/reach.mjs').Policy} Manifest
 */

/** Two of each, so that one can be lost. */
export const REPLICAS = 2;
/** The number that the scenario of scaling runs: see GATEWAY_REPLICAS in base/gateway/stateful-set.yaml. */
export const MOST_GATEWAYS = 3;

/** The namespaces that the policies of the base name, by the word that ends their name in a run. */
export const NEIGHBORS = Object.freeze({ 'ingress-nginx': 'ingress', monitoring: 'monitoring' });

/** A label on the pods of a run, by which the drain of a node finds them. */
export const RUN_LABEL = 'presenza/test-run';

/** The overlay asks for half a core for each inference pod: three of them have no room on a small machine. */
const smallInference = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: inference }
spec:
  template:
    spec:
      containers:
        - name: inference
          resources: { requests: { cpu: 200m } }`;

const mostGateways = `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: gateway }
spec:
  template:
    spec:
      containers:
        - name: gateway
          env: [{ name: GATEWAY_REPLICAS, value: "${MOST_GATEWAYS}" }]`;

/** Six nodes of the component redis-cluster in the place of one small Redis. */
const smallRedisCluster = `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: redis-cluster }
spec:
  template:
    spec:
      containers:
        - name: redis
          env: [{ name: REDIS_MAXMEMORY, value: 64mb }]
          resources:
            requests: { cpu: 50m, memory: 192Mi }
            limits: { cpu: 500m, memory: 192Mi }`;

/**
 * @param {object} run
 * @param {string} run.namespace
 * @param {string} run.folder relative path from the new folder to deploy/kubernetes
 * @param {Images} run.images full names
 * @param {string} [run.redis] full name
 * @param {readonly string[]} [run.components]
 * @returns {object} the kustomization
 */
export function kustomizationOf({ namespace, folder, images, redis, components = [] }) {
  const tierImages = Object.entries(images).map(([name, image]) => imageOf(`presenza/${name}`, image));
  const patches = [smallInference, mostGateways];
  if (components.includes('redis-cluster')) patches.push(smallRedisCluster);
  return {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace,
    resources: [`${folder}/overlays/local`],
    components: components.map((name) => `${folder}/components/${name}`),
    replicas: ['gateway', 'inference', 'web'].map((name) => ({ name, count: REPLICAS })),
    patches: patches.map((patch) => ({ patch })),
    labels: [{ pairs: { [RUN_LABEL]: namespace }, includeTemplates: true }],
    images: redis === undefined ? tierImages : [...tierImages, imageOf('redis', redis)],
  };
}

/** @param {string} name in the manifests @param {string} image full name */
function imageOf(name, image) {
  const [, newName = '', newTag, digest] = /^(.+?)(?::([^:/@]+))?(?:@(sha256:.+))?$/.exec(image) ?? [];
  return { name, newName, ...(newTag !== undefined && { newTag }), ...(digest !== undefined && { digest }) };
}

/**
 * Makes the policies name other namespaces than those of the base.
 * @template {Manifest} T
 * @param {readonly T[]} manifests
 * @param {Readonly<Record<string, string>>} names new names by old ones
 * @returns {T[]}
 */
export function renameNeighbors(manifests, names) {
  const rename = (/** @type {string} */ key, /** @type {unknown} */ value) =>
    key === 'kubernetes.io/metadata.name' && typeof value === 'string' ? (names[value] ?? value) : value;
  return manifests.map((manifest) =>
    manifest.kind === 'NetworkPolicy' ? JSON.parse(JSON.stringify(manifest, rename)) : manifest,
  );
}

/**
 * The images of a run, of another version where `version` says so.
 * @param {Pick<import('./options.mjs').Options, 'registry' | 'version' | 'images'>} options
 * @param {string} released version of the manifests
 * @param {Partial<Record<import('./options.mjs').ImageName, string>>} [versions] of single tiers
 * @returns {Required<Images>}
 */
export function imagesOf({ registry = 'presenza', version, images }, released, versions = {}) {
  const name = (/** @type {import('./options.mjs').ImageName} */ tier) => {
    const other = versions[tier];
    const image = images[tier];
    // A full name keeps its repository.
    if (image !== undefined)
      return other === undefined ? image : `${image.replace(/(?::[^:/]+)?(?:@.+)?$/, '')}:${other}`;
    return `${registry}/${tier}:${other ?? version ?? released}`;
  };
  return { gateway: name('gateway'), inference: name('inference'), web: name('web') };
}
