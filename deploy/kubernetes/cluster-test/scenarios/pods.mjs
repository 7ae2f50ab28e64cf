// Rollouts, lost pods and scaling.

import { WORKLOADS } from '../installation/installation.mjs';
import { MOST_GATEWAYS } from '../installation/overlay.mjs';
import { loadOf, replicasOf } from './scenario.mjs';

/**
 * @typedef {import('./scenario.mjs').Scenario} Scenario
 * @typedef {import('./scenario.mjs').World} World
 * @typedef {import('./scenario.mjs').Tier} Tier
 */

const replicated = /** @type {const} */ (['inference', 'gateway', 'web']);
const single = /** @type {const} */ (['redis', 'redis-keys']);
const tiers = [...replicated, ...single];

/** A pod ends within its grace period, 95 s for a gateway. */
const DELETE_MS = 150_000;

/** @type {Scenario[]} */
const rollouts = replicated.map((tier) => ({
  name: `rollout-${tier}`,
  about: `restarts every pod of ${tier}, one after the other`,
  withoutRetry: true,
  run: async ({ installation }) => {
    await installation.run(['rollout', 'restart', WORKLOADS[tier]]);
    await installation.rolledOut(tier);
  },
}));

/** @param {World} world @param {Tier} tier @returns {Promise<{ name: string, uid: string }>} */
async function firstPod({ installation }, tier) {
  const [pod] = await installation.pods(tier);
  if (!pod) throw new Error(`There is no pod of ${tier}.`);
  return pod.metadata;
}

/** @type {Scenario[]} */
const deletions = tiers.map((tier) => ({
  name: `delete-${tier}`,
  about: `deletes a pod of ${tier}, which drains first`,
  withoutRetry: replicated.some((replicatedTier) => replicatedTier === tier),
  run: async (world) => {
    const { name, uid } = await firstPod(world, tier);
    await world.installation.run(['delete', 'pod', name], { timeoutMs: DELETE_MS });
    await world.installation.replaced(tier, uid);
  },
}));

/** @type {Scenario[]} */
const removals = tiers.map((tier) => ({
  name: `remove-${tier}`,
  about: `deletes a pod of ${tier} by force, which leaves it a second instead of its drain`,
  run: async (world) => {
    const { name, uid } = await firstPod(world, tier);
    await world.installation.run(['delete', 'pod', name, '--grace-period=0', '--force']);
    await world.installation.replaced(tier, uid);
  },
}));

/**
 * Ends process 1 of a container at once. Linux ignores a SIGKILL from inside to this process, so its debugger ends it.
 * `process.exit` would wait until the debugger disconnects.
 */
const EXIT = `(async () => {
  process.kill(1, 'SIGUSR1');
  const find = () => fetch('http://127.0.0.1:9229/json').then((list) => list.json()).catch(find);
  const [{ webSocketDebuggerUrl }] = await find();
  const socket = new WebSocket(webSocketDebuggerUrl);
  const params = { expression: 'process.abort()' };
  socket.onopen = () => socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }));
  socket.onclose = () => process.exit();
})()`;

/** @type {Scenario[]} */
const kills = replicated.map((tier) => ({
  name: `kill-${tier}`,
  about: `ends a process of ${tier} without any notice, as a crash or an out-of-memory kill does`,
  load: 2,
  run: async (world) => {
    const { installation } = world;
    const [{ metadata, status }] = /** @type {[any]} */ (await installation.pods(tier));
    const pod = metadata.name;
    const restarts = status.containerStatuses[0].restartCount + 1;
    const inContainer = ['exec', pod, '--container', tier, '--'];
    // The command ends with the container.
    const args = ['--namespace', installation.namespace, ...inContainer, 'node', '--eval', EXIT];
    await installation.kubectl.attempt(args, { timeoutMs: 30_000 });
    const restarted = `--for=jsonpath={.status.containerStatuses[0].restartCount}=${restarts}`;
    await installation.run(['wait', restarted, `pod/${pod}`, '--timeout=60s']);
    await installation.run(['wait', '--for=condition=Ready', `pod/${pod}`, '--timeout=110s']);
    await installation.rolledOut(tier);
  },
}));

/** Asks for the eviction of a pod, as `kubectl drain` does. @param {World} world @param {string} pod */
function evict({ installation: { kubectl, namespace } }, pod) {
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/eviction`;
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace } };
  return kubectl.attempt(['create', '--raw', path, '--filename', '-'], { input: JSON.stringify(body) });
}

/** @type {Scenario[]} */
const evictions = [
  ...replicated.map((tier) => ({
    name: `evict-${tier}`,
    about: `evicts a pod of ${tier}, as the drain of a node does`,
    withoutRetry: true,
    run: async (/** @type {World} */ world) => {
      const { name, uid } = await firstPod(world, tier);
      const { code, stderr } = await evict(world, name);
      if (code !== 0) throw new Error(`The eviction was refused: ${stderr.trim()}`);
      await world.installation.run(['wait', '--for=delete', `pod/${name}`, '--timeout=120s'], {
        timeoutMs: DELETE_MS,
      });
      await world.installation.replaced(tier, uid);
    },
  })),
  {
    name: 'evict-redis',
    about: 'asks for the eviction of both Redis, which their budgets refuse',
    withoutRetry: true,
    run: async (world) => {
      for (const tier of single) {
        const { code, stderr } = await evict(world, (await firstPod(world, tier)).name);
        const refused = code !== 0 && stderr.includes('disruption budget');
        world.check(refused, `the budget of ${tier} did not refuse an eviction`);
      }
    },
  },
];

/** @type {Scenario[]} */
const scaling = /** @type {const} */ (['inference', 'gateway']).map((tier) => ({
  name: `scale-${tier}`,
  about: `scales ${tier} from two pods to three, to one and to two`,
  withoutRetry: true,
  run: async (world) => {
    for (const replicas of [MOST_GATEWAYS, 1, replicasOf(tier)]) {
      await world.installation.scale(tier, replicas);
      await loadOf(world).responses(5);
    }
  },
}));

/** @type {Scenario[]} */
const outages = single.map((tier) => ({
  name: `without-${tier}`,
  about: `${tier} is gone while requests arrive, and comes back`,
  run: async (world) => {
    await world.installation.scale(tier, 0);
    // An account with overage is served without Redis, and billed later.
    await loadOf(world).responses(30);
    await world.installation.scale(tier, 1);
  },
}));

export const podScenarios = [
  ...rollouts,
  ...deletions,
  ...removals,
  ...kills,
  ...evictions,
  ...scaling,
  ...outages,
];
