// Decides which connections NetworkPolicies allow, as a network plugin that enforces them does: a connection is open when the
// egress of one side and the ingress of the other both allow it. A side that no policy selects allows everything.

import { BlockList, isIPv4 } from 'node:net';

/**
 * @typedef {Readonly<Record<string, string>>} Labels
 *
 * @typedef {{ readonly name?: string, readonly containerPort: number }} Port
 *
 * @typedef {{ namespace: string, labels: Labels, ports?: readonly Port[] | undefined } | { address: string }} Party
 *   a pod, or an address outside
 *
 * @typedef {object} Selector
 * @property {Labels} [matchLabels]
 * @property {readonly { readonly key: string, readonly operator: 'In', readonly values: readonly string[] }[]} [matchExpressions]
 *
 * @typedef {object} Peer
 * @property {Selector} [podSelector]
 * @property {Selector} [namespaceSelector]
 * @property {{ readonly cidr: string, readonly except?: readonly string[] }} [ipBlock]
 *
 * @typedef {object} Rule
 * @property {readonly Peer[]} [from]
 * @property {readonly Peer[]} [to]
 * @property {readonly { readonly protocol?: string, readonly port: number | string }[]} [ports]
 *
 * @typedef {{ readonly kind: string, readonly metadata: { readonly name: string, readonly namespace?: string }, readonly spec: any }} Policy
 */

/** Whether a selector takes these labels. @param {Selector} [selector] @param {Labels} [labels] */
export const selects = ({ matchLabels = {}, matchExpressions = [] } = {}, labels = {}) =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''));

/** @param {string} address @param {string} cidr */
export function isWithin(address, cidr) {
  const [network = '', length = ''] = cidr.split('/');
  if (isIPv4(address) !== isIPv4(network)) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(length), isIPv4(network) ? 'ipv4' : 'ipv6');
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** @param {Peer} peer @param {Party} party @param {string} home namespace of the policy */
function isPeer({ podSelector, namespaceSelector, ipBlock }, party, home) {
  if ('address' in party) {
    if (!ipBlock || !isWithin(party.address, ipBlock.cidr)) return false;
    return !ipBlock.except?.some((range) => isWithin(party.address, range));
  }
  if (ipBlock) return false;
  const names = { 'kubernetes.io/metadata.name': party.namespace };
  const inNamespace = namespaceSelector ? selects(namespaceSelector, names) : party.namespace === home;
  return inNamespace && selects(podSelector, party.labels);
}

/**
 * @param {Rule} rule
 * @param {{ other: Party, port: string, served: readonly Port[] | undefined, home: string }} way
 *   served: ports of the pod that is reached, by which a rule may name one
 */
function allows({ from, to, ports }, { other, port, served, home }) {
  const [protocol, number] = port.split('/');
  const portFits =
    !ports ||
    ports.some((allowed) => {
      const named = served?.find(({ name }) => name === allowed.port)?.containerPort;
      return (allowed.protocol ?? 'TCP') === protocol && (named ?? allowed.port) === Number(number);
    });
  const peers = from ?? to;
  return portFits && (!peers || peers.some((peer) => isPeer(peer, other, home)));
}

/**
 * May `from` reach `to`?
 * @param {readonly Policy[]} manifests of one namespace; objects of other kinds are ignored
 * @param {Party} from
 * @param {Party} to
 * @param {string} port such as TCP/8080
 * @param {string} [home] the namespace
 */
export function mayReach(manifests, from, to, port, home = 'presenza') {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
  const served = 'address' in to ? undefined : to.ports;
  /** @param {'Ingress' | 'Egress'} direction @param {Party} self @param {Party} other */
  const side = (direction, self, other) => {
    if ('address' in self || self.namespace !== home) return true; // not ours to decide
    const applicable = policies.filter(
      ({ spec }) => spec.policyTypes.includes(direction) && selects(spec.podSelector, self.labels),
    );
    if (applicable.length === 0) return true;
    return applicable.some(({ spec }) =>
      ((direction === 'Ingress' ? spec.ingress : spec.egress) ?? []).some((/** @type {Rule} */ rule) =>
        allows(rule, { other, port, served, home }),
      ),
    );
  };
  return side('Egress', from, to) && side('Ingress', to, from);
}
