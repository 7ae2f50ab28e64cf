// One Presenza in namespaces of its own: creates, changes and deletes it.

import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { CHECKOUT_STATE, ROOT } from '../../../../gateway/harness/cli/paths.mjs';
import { Stop } from '../../../../gateway/harness/cli/stop.mjs';
import { waitUntil } from '../../../../gateway/harness/wait.mjs';
import { imagesOf, kustomizationOf, NEIGHBORS, renameNeighbors } from './overlay.mjs';

/**
 * @typedef {import('../../../../gateway/harness/kubectl.mjs').Kubectl} Kubectl
 * @typedef {import('./overlay.mjs').Manifest} Manifest
 * @typedef {import('./options.mjs').Options} Options
 * @typedef {import('./options.mjs').ImageName} ImageName
 */

const MANIFESTS = join(ROOT, 'deploy/kubernetes');
/** Images may have to be pulled. */
const READY_TIMEOUT = '5m';
const READY_MS = 300_000;
const DELETE_MS = 300_000;

/** A label on the namespaces of an installation. Its value is unique, so that no other namespace is ever deleted. */
const OWNER_LABEL = 'presenza/test-owner';

/** The workloads by tier, in the order of an upgrade. */
export const WORKLOADS = Object.freeze({
  inference: 'deployment/inference',
  gateway: 'statefulset/gateway',
  web: 'deployment/web',
  redis: 'statefulset/redis',
  'redis-keys': 'statefulset/redis-keys',
});
/** @typedef {keyof typeof WORKLOADS} Tier */

/** @param {string} tier */
export const labelOf = (tier) => `app.kubernetes.io/component=${tier}`;

/** The version that the manifests name. */
const released = () => String(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version);

export class Installation {
  /** @type {readonly Manifest[]} */
  manifests = [];
  #owner = randomBytes(8).toString('hex');

  /**
   * @param {Kubectl} kubectl
   * @param {Options} options
   * @param {readonly string[]} [components]
   */
  constructor(kubectl, options, components = []) {
    this.kubectl = kubectl;
    this.options = options;
    this.components = components;
    const { namespace } = options;
    this.namespace = namespace;
    /** Namespaces around it: those that the policies name, and one that they do not name. */
    this.outside = {
      ingress: `${namespace}-${NEIGHBORS['ingress-nginx']}`,
      monitoring: `${namespace}-${NEIGHBORS.monitoring}`,
      neighbor: `${namespace}-neighbor`,
    };
  }

  get namespaces() {
    return [this.namespace, ...Object.values(this.outside)];
  }

  /** Full names of the images. @param {Partial<Record<ImageName, string>>} [versions] */
  images(versions) {
    return imagesOf(this.options, released(), versions);
  }

  /** Runs kubectl in this namespace. @param {readonly string[]} args @param {import('../../../../gateway/harness/kubectl.mjs').CallOptions} [options] */
  run(args, options) {
    return this.kubectl.run(['--namespace', this.namespace, ...args], options);
  }

  /** @param {readonly string[]} args @returns {Promise<any>} */
  json(args) {
    return this.kubectl.json(['--namespace', this.namespace, ...args]);
  }

  /** Creates the namespaces. @throws {Stop} where one of them exists */
  async createNamespaces() {
    for (const name of this.namespaces) {
      const metadata = { name, labels: { [OWNER_LABEL]: this.#owner } };
      const input = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata });
      const { code, stderr } = await this.kubectl.attempt(['create', '--filename', '-'], { input });
      if (code !== 0) throw new Stop(`The namespace ${name} cannot be created: ${stderr.trim()}`);
    }
  }

  /** The two Secrets of the README. */
  createSecrets() {
    const secret = (/** @type {string} */ name, /** @type {Record<string, string>} */ stringData) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: this.namespace },
      stringData,
    });
    const random = () => randomBytes(32).toString('hex');
    return this.kubectl.apply([
      secret('presenza', { KEY_SECRET: random(), ADMIN_TOKEN: random() }),
      secret('redis', { password: random() }),
    ]);
  }

  /** Applies the overlay. @param {Partial<Record<ImageName, string>>} [versions] of tiers that differ from the rest */
  async apply(versions) {
    this.manifests = await this.#build(versions);
    await this.kubectl.apply(this.manifests);
  }

  /** @param {Partial<Record<ImageName, string>>} [versions] */
  async #build(versions) {
    // Inside the checkout, because kustomize takes relative paths only.
    mkdirSync(CHECKOUT_STATE, { recursive: true });
    const folder = mkdtempSync(join(CHECKOUT_STATE, 'cluster-test-'));
    try {
      const { redis } = this.options;
      const kustomization = kustomizationOf({
        namespace: this.namespace,
        folder: relative(folder, MANIFESTS),
        images: this.images(versions),
        ...(redis !== undefined && { redis }),
        components: this.components,
      });
      writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
      const text = await this.kubectl.run(['kustomize', folder]);
      const manifests = parseAllDocuments(text).map((document) => /** @type {Manifest} */ (document.toJS()));
      const names = Object.entries(NEIGHBORS).map(([name, word]) => [name, `${this.namespace}-${word}`]);
      return renameNeighbors(manifests, Object.fromEntries(names));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** The workloads that this installation has. @returns {Tier[]} */
  get tiers() {
    const all = /** @type {Tier[]} */ (Object.keys(WORKLOADS));
    return all.filter((tier) =>
      this.manifests.some(({ kind, metadata }) => nameOf(kind, metadata.name) === WORKLOADS[tier]),
    );
  }

  /** Waits until the rollout of a tier is complete. @param {Tier} tier */
  rolledOut(tier) {
    return this.run(['rollout', 'status', WORKLOADS[tier], `--timeout=${READY_TIMEOUT}`], {
      timeoutMs: 310_000,
    });
  }

  /** Waits until every tier is complete. */
  async healthy() {
    for (const tier of this.tiers) await this.rolledOut(tier);
  }

  /** The running pods of a tier. @param {string} tier @returns {Promise<any[]>} */
  async pods(tier) {
    const { items } = await this.json(['get', 'pods', '--selector', labelOf(tier)]);
    return items
      .filter((/** @type {any} */ { metadata }) => metadata.deletionTimestamp === undefined)
      .sort((/** @type {any} */ a, /** @type {any} */ b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }

  /**
   * Waits until a deleted pod is gone and every pod of its tier is ready. The status of a rollout may still be that of
   * the old pod.
   * @param {Tier} tier
   * @param {string} uid of the deleted pod
   */
  async replaced(tier, uid) {
    const { replicas } = (await this.json(['get', WORKLOADS[tier]])).spec;
    const isReplaced = async () => {
      const pods = await this.pods(tier);
      return pods.length === replicas && pods.every((pod) => pod.metadata.uid !== uid && isReady(pod));
    };
    await waitUntil(`${tier} has a ready pod in place of the deleted one`, isReplaced, {
      timeoutMs: READY_MS,
      intervalMs: 500,
    });
    await this.rolledOut(tier);
  }

  /** Scales a tier and waits until it has so many pods. @param {Tier} tier @param {number} replicas */
  async scale(tier, replicas) {
    const workload = WORKLOADS[tier];
    await this.run(['scale', workload, `--replicas=${replicas}`]);
    const complete = `--for=jsonpath={.status.replicas}=${replicas}`;
    await this.run(['wait', complete, workload, '--timeout=110s']);
    await this.rolledOut(tier);
    const { items } = await this.json(['get', 'pods', '--selector', labelOf(tier)]);
    for (const { metadata } of items) {
      if (metadata.deletionTimestamp === undefined) continue;
      await this.run(['wait', '--for=delete', `pod/${metadata.name}`, '--timeout=110s']);
    }
  }

  /** The pods and the latest events, which an operator looks at first. @returns {Promise<string>} */
  async describe() {
    const outputOf = async (/** @type {string[]} */ args) =>
      (await this.kubectl.attempt(['--namespace', this.namespace, ...args]).catch(() => ({ stdout: '' })))
        .stdout;
    const pods = await outputOf(['get', 'pods', '--output', 'wide']);
    const events = await outputOf(['get', 'events', '--sort-by=.lastTimestamp']);
    return `${pods}\n${events.split('\n').slice(-15).join('\n')}`;
  }

  /** Deletes the namespaces that it created, with all that is in them, also after an interruption. */
  async delete() {
    const args = ['delete', 'namespace', '--selector', `${OWNER_LABEL}=${this.#owner}`, '--timeout=5m'];
    await this.kubectl.uninterrupted.run(args, { timeoutMs: DELETE_MS + 10_000 });
  }
}

/** @param {any} pod */
const isReady = ({ status }) =>
  (status.conditions ?? []).some(
    (/** @type {any} */ { type, status: value }) => type === 'Ready' && value === 'True',
  );

/** @param {string} kind @param {string} name */
const nameOf = (kind, name) => `${kind.toLowerCase()}/${name}`;
