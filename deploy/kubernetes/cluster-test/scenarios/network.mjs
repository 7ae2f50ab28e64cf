// Tries every connection that the network policies allow, and those that they refuse.

import { waitUntil } from '../../../../gateway/harness/wait.mjs';
import { idle, podOf } from '../installation/pods.mjs';
import { compare, METADATA, pairsOf, STAND_INS } from '../network/pairs.mjs';
import { probe } from '../network/probe.mjs';
import { Skip } from './scenario.mjs';

/**
 * @typedef {import('./scenario.mjs').Scenario} Scenario
 * @typedef {import('./scenario.mjs').Installation} Installation
 * @typedef {import('../network/pairs.mjs').Pair} Pair
 * @typedef {import('../network/probe.mjs').Prober} Prober
 */

/** Network plugins learn about new pods within seconds. */
const LEARN_MS = 30_000;
/** The pod in each namespace around the installation. */
const PROBE = 'probe';
/** Images without Node.js. */
const NO_NODE = ['redis', 'redis-keys', 'redis-cluster'];

/** @type {Scenario} */
const network = {
  name: 'network',
  about: 'tries every connection between pods, to a public address and to the metadata service',
  withoutLoad: true,
  run: async ({ installation, options: { publicAddress }, check, note, report }) => {
    const { kubectl, namespace, outside, manifests } = installation;
    const { pairs } = pairsOf(manifests, { namespace, outside, publicAddress });
    const standIns = await startStandIns(installation);
    const { probers, hosts } = await findPods(installation);
    /** @param {readonly Pick<Pair, 'from' | 'to' | 'port'>[]} chosen @returns {Promise<boolean[]>} */
    const probePairs = async (chosen) => {
      /** @type {Map<object, boolean>} */
      const seen = new Map();
      const callers = [...new Set(chosen.map(({ from }) => from))];
      await Promise.all(
        callers.map(async (from) => {
          const pairsFrom = chosen.filter((pair) => pair.from === from);
          const targets = pairsFrom.map(({ to, port }) => ({ host: hostOf(to, hosts, publicAddress), port }));
          const results = await probe(kubectl, /** @type {Prober} */ (probers[from]), targets);
          pairsFrom.forEach((pair, i) => {
            seen.set(pair, results[i] === true);
          });
        }),
      );
      return chosen.map((pair) => seen.get(pair) === true);
    };

    // A pod without policies shows which addresses respond at all.
    const addresses = pairs.filter(
      ({ from, to }) => from === 'gateway' && (to === 'public' || to === 'metadata'),
    );
    const control = await probePairs(addresses.map(({ to, port }) => ({ from: 'neighbor', to, port })));
    const reachable = new Set(addresses.filter((_, i) => control[i]).map(({ to, port }) => `${to} ${port}`));

    const first = await probePairs(pairs);
    let results = pairs.map((pair, i) => ({ ...pair, seen: first[i] === true }));
    const asDocumented = async () => {
      const differing = results.filter(({ open, seen }) => open !== seen);
      const again = await probePairs(differing);
      const news = new Map(differing.map((pair, i) => [pair, again[i] === true]));
      results = results.map((pair) => ({ ...pair, seen: news.get(pair) ?? pair.seen }));
      return compare(results, reachable).faults.length === 0;
    };
    if (compare(results, reachable).enforced) {
      await waitUntil('every connection is as documented', asDocumented, {
        timeoutMs: LEARN_MS,
        intervalMs: 1_000,
      }).catch(() => {});
    }
    for (const name of standIns) await installation.run(['delete', 'pod', name, '--wait=false']);
    report(results);
    const { enforced, faults, tested, untested } = compare(results, reachable);
    if (!enforced) throw new Skip('network policies are not enforced here');
    for (const fault of faults) check(false, fault);
    note(`${tested - faults.length} of ${tested} connections are as documented`);
    if (untested.length > 0) note(`not testable here, because nothing responds: ${untested.join(', ')}`);
  },
};

/** @param {string} to @param {Readonly<Record<string, string>>} hosts @param {string} publicAddress */
function hostOf(to, hosts, publicAddress) {
  if (to === 'public') return publicAddress;
  if (to === 'metadata') return METADATA;
  return hosts[to] ?? '';
}

/** Pods that stand in for others. @param {Installation} installation @returns {Promise<string[]>} names of those inside */
async function startStandIns(installation) {
  const { kubectl, namespace, outside } = installation;
  const image = installation.images().gateway;
  const names = Object.keys(STAND_INS);
  const inside = Object.entries(STAND_INS).map(([name, labels]) =>
    podOf({ name, namespace, image, labels, command: idle }),
  );
  const around = [outside.monitoring, outside.neighbor].map((other) =>
    podOf({ name: PROBE, namespace: other, image, command: idle }),
  );
  await kubectl.apply([...inside, ...around]);
  await installation.run(['wait', '--for=condition=Ready', 'pod', ...names, '--timeout=100s']);
  for (const other of [outside.monitoring, outside.neighbor]) {
    await kubectl.run([
      '--namespace',
      other,
      'wait',
      '--for=condition=Ready',
      `pod/${PROBE}`,
      '--timeout=100s',
    ]);
  }
  return names;
}

/** The place of each party. @param {Installation} installation */
async function findPods(installation) {
  const { namespace, outside } = installation;
  /** @type {Record<string, Prober>} */
  const probers = {
    ingress: { namespace: outside.ingress, pod: 'load', container: 'main', hasNode: true },
    monitoring: { namespace: outside.monitoring, pod: PROBE, container: 'main', hasNode: true },
    neighbor: { namespace: outside.neighbor, pod: PROBE, container: 'main', hasNode: true },
  };
  for (const name of Object.keys(STAND_INS)) {
    probers[name] = { namespace, pod: name, container: 'main', hasNode: true };
  }
  // A Service whose name every pod that may ask can look up.
  /** @type {Record<string, string>} */
  const hosts = { dns: `gateway.${namespace}` };
  for (const { kind, metadata } of installation.manifests) {
    if (kind !== 'Deployment' && kind !== 'StatefulSet') continue;
    const { matchLabels } = (await installation.json(['get', kind, metadata.name])).spec.selector;
    const [pod] = await installation.pods(matchLabels['app.kubernetes.io/component']);
    const [container] = pod.spec.containers;
    const hasNode = !NO_NODE.includes(metadata.name);
    probers[metadata.name] = { namespace, pod: pod.metadata.name, container: container.name, hasNode };
    hosts[metadata.name] = pod.status.podIP;
  }
  return { probers, hosts };
}

export const networkScenarios = [network];
