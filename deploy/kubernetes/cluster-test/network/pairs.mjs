// The connections that the policies of an installation allow or refuse, derived from its manifests.

import { mayReach } from './reach.mjs';

/**
 * @typedef {import('./reach.mjs').Party} Party
 * @typedef {import('./reach.mjs').Port} Port
 * @typedef {import('../installation/overlay.mjs').Manifest} Manifest
 *
 * @typedef {object} Pair
 * @property {string} from name of a party
 * @property {string} to
 * @property {string} port such as TCP/9100
 * @property {boolean} open whether the policies allow it
 */

/** Ports that receivers of webhooks have, and others. */
const PUBLIC_PORTS = [443, 80];
export const METADATA = '169.254.169.254';
const DNS = { namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } };
/** Labels of pods of the test that stand in for others. */
export const STAND_INS = Object.freeze({
  operator: { 'presenza/role': 'operator' },
  stranger: { app: 'stranger' },
  'redis-rewrite': { 'app.kubernetes.io/name': 'presenza', 'app.kubernetes.io/component': 'redis-rewrite' },
});

/**
 * @param {readonly Manifest[]} manifests
 * @param {{ namespace: string, outside: Readonly<Record<string, string>>, publicAddress: string }} where
 *   outside: namespaces by the name of the party that is there
 * @returns {{ pairs: Pair[], parties: Readonly<Record<string, Party>> }}
 */
export function pairsOf(manifests, { namespace, outside, publicAddress }) {
  /** @type {Record<string, Party>} */
  const served = {};
  for (const { kind, metadata, spec } of manifests) {
    if (kind !== 'Deployment' && kind !== 'StatefulSet') continue;
    const ports = spec.template.spec.containers.flatMap(
      (/** @type {{ ports?: Port[] }} */ container) => container.ports ?? [],
    );
    served[metadata.name] = { namespace, labels: spec.template.metadata.labels, ports };
  }
  /** @type {Record<string, Party>} */
  const standIns = {};
  for (const [name, labels] of Object.entries(STAND_INS)) standIns[name] = { namespace, labels };
  for (const [name, other] of Object.entries(outside)) standIns[name] = { namespace: other, labels: {} };
  const callers = { ...served, ...standIns };
  /** @type {Record<string, Party>} */
  const addresses = { public: { address: publicAddress }, metadata: { address: METADATA } };

  /** @type {[name: string, to: Party, port: string][]} */
  const targets = [
    ...Object.entries(served).flatMap(([name, party]) =>
      portsOf(party).map((port) => /** @type {[string, Party, string]} */ ([name, party, port])),
    ),
    ['dns', DNS, 'UDP/53'],
    ...PUBLIC_PORTS.map(
      (port) =>
        /** @type {[string, Party, string]} */ (['public', { address: publicAddress }, `TCP/${port}`]),
    ),
    ['metadata', { address: METADATA }, 'TCP/80'],
  ];
  const isOurs = (/** @type {Party} */ party) => 'namespace' in party && party.namespace === namespace;
  const pairs = Object.entries(callers).flatMap(([from, caller]) =>
    targets
      .filter(([to, party]) => to !== from && (isOurs(caller) || isOurs(party)))
      .map(([to, party, port]) => ({
        from,
        to,
        port,
        open: mayReach(manifests, caller, party, port, namespace),
      })),
  );
  return { pairs, parties: { ...callers, ...addresses, dns: DNS } };
}

/** @param {Party} party */
const portsOf = (party) =>
  'address' in party ? [] : (party.ports ?? []).map(({ containerPort }) => `TCP/${containerPort}`);

/** The same pair, as text. @param {Pick<Pair, 'from' | 'to' | 'port'>} pair */
export const titleOf = ({ from, to, port }) => `${from} -> ${to} ${port}`;

/**
 * Compares what was seen with what the policies say.
 * @param {readonly (Pair & { seen: boolean })[]} pairs
 * @param {ReadonlySet<string>} reachable addresses outside that a pod without policies reaches, such as `public TCP/443`
 * @returns {{ enforced: boolean, faults: string[], tested: number, untested: string[] }}
 *   enforced: whether any connection was refused that the policies refuse
 */
export function compare(pairs, reachable) {
  const isOutside = (/** @type {Pair} */ { to }) => to === 'public' || to === 'metadata';
  const isTestable = (/** @type {Pair} */ pair) =>
    !isOutside(pair) || reachable.has(`${pair.to} ${pair.port}`);
  const tested = pairs.filter(isTestable);
  const closed = tested.filter(({ open }) => !open);
  return {
    enforced: closed.some(({ seen }) => !seen),
    faults: tested
      .filter(({ open, seen }) => open !== seen)
      .map((pair) => `${titleOf(pair)} is ${pair.seen ? 'open' : 'closed'}`),
    tested: tested.length,
    untested: [...new Set(pairs.filter((pair) => !isTestable(pair)).map(({ to, port }) => `${to} ${port}`))],
  };
}
