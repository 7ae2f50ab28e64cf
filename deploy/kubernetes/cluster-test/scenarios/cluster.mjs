// Scenarios that need more of a cluster or other components: drains, upgrades, Redis Cluster.

import { Installation } from '../installation/installation.mjs';
import { RUN_LABEL } from '../installation/overlay.mjs';

/**
 * @typedef {import('./scenario.mjs').Scenario} Scenario
 * @typedef {import('./scenario.mjs').World} World
 */

const DRAIN_MS = 330_000;

/** The tiers whose pods a drain evicts. */
const replicated = ['gateway', 'inference', 'web'];

/** How many nodes take pods. @param {World} world @returns {Promise<number>} */
async function countNodes({ installation: { kubectl } }) {
  const { items } = await kubectl.json(['get', 'nodes']);
  return items.filter((/** @type {any} */ { spec }) => !spec.unschedulable && !(spec.taints ?? []).length)
    .length;
}

/** @param {World} world @returns {Promise<any[]>} pods of the replicated tiers */
async function replicatedPods({ installation }) {
  return (await Promise.all(replicated.map((tier) => installation.pods(tier)))).flat();
}

/** @type {Scenario} */
const drain = {
  name: 'drain',
  about: 'drains the node of a gateway, and returns it',
  withoutRetry: true,
  reasonToSkip: async (world) =>
    (await countNodes(world)) > 1 ? undefined : 'there is only one node that takes pods',
  run: async (world) => {
    const { installation, check, note } = world;
    const { kubectl, namespace } = installation;
    const [gateway] = await installation.pods('gateway');
    const node = gateway.spec.nodeName;
    const before = (await replicatedPods(world)).filter(({ spec }) => spec.nodeName === node);
    // Other workloads of the node stay, and so do the load, and Redis, as its budget demands.
    const ours = `--pod-selector=${RUN_LABEL}=${namespace},app.kubernetes.io/component in (${replicated})`;
    try {
      const options = ['--delete-emptydir-data', '--ignore-daemonsets', '--timeout=5m'];
      await kubectl.run(['drain', node, ours, ...options], { timeoutMs: DRAIN_MS });
    } finally {
      await kubectl.uninterrupted.run(['uncordon', node]);
    }
    // A gateway whose volume is on the node comes back with it.
    await installation.healthy();
    const uids = new Set((await replicatedPods(world)).map(({ metadata }) => metadata.uid));
    const stayed = before.filter(({ metadata }) => uids.has(metadata.uid));
    check(stayed.length === 0, `${stayed.length} of ${before.length} pods stayed on the drained node`);
    note(`${before.length} pods left the node: ${before.map(({ metadata }) => metadata.name).join(', ')}`);
  },
};

/** Tiers in the order of an upgrade. */
const order = /** @type {const} */ (['inference', 'gateway', 'web']);

/** @type {Scenario} */
const upgrade = {
  name: 'upgrade',
  about: 'rolls back to the release before, tier by tier, and upgrades again',
  otherSite: true,
  withoutRetry: true,
  reasonToSkip: async ({ options: { previous } }) =>
    previous === undefined ? '--previous names no release' : undefined,
  run: async ({ installation, options: { previous = '' } }) => {
    /** @type {Partial<Record<(typeof order)[number], string>>} */
    const versions = {};
    for (const tier of order.toReversed()) {
      versions[tier] = previous;
      await installation.apply(versions);
      await installation.rolledOut(tier);
    }
    for (const tier of order) {
      delete versions[tier];
      await installation.apply(versions);
      await installation.rolledOut(tier);
    }
  },
};

const hasCluster = (/** @type {Installation} */ { components }) => components.includes('redis-cluster');

/** @type {Scenario} */
const redisCluster = {
  name: 'redis-cluster',
  about: 'deletes the installation and begins again with the component redis-cluster',
  withoutLoad: true,
  run: async ({ installation: { kubectl }, options, replace }) => {
    const namespace = `${options.namespace}-cluster`;
    await replace(new Installation(kubectl, { ...options, namespace }, ['redis-cluster']));
  },
};

/** @type {Scenario} */
const lostNode = {
  name: 'kill-redis-cluster',
  about: 'ends a primary of the Redis Cluster by force',
  reasonToSkip: async ({ installation }) =>
    hasCluster(installation) ? undefined : 'the scenario redis-cluster did not run',
  run: async ({ installation }) => {
    const pod = 'redis-cluster-0';
    await installation.run(['delete', 'pod', pod, '--grace-period=0', '--force']);
    await installation.run(['wait', '--for=create', `pod/${pod}`, '--timeout=60s']);
    await installation.run(['wait', '--for=condition=Ready', `pod/${pod}`, '--timeout=100s']);
  },
};

export const clusterScenarios = [drain, upgrade, redisCluster, lostNode];
