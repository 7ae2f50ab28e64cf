// Decides whether a connection is open, as a network plugin that enforces NetworkPolicies does: when the egress of one side
// and the ingress of the other both allow it. A side that no policy selects allows everything.

import { BlockList, isIPv4 } from 'node:net';
import { ofKind, selects } from './manifests';
import type { Container, Manifest } from './types';

export type Labels = Readonly<Record<string, string>>;

/** A pod, in this namespace or another, or an address outside. */
export type Party = { namespace: string; labels: Labels; ports?: Container['ports'] } | { address: string };

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly protocol?: string; readonly port: number | string }[];
}
export interface Peer {
  readonly podSelector?: Parameters<typeof selects>[0];
  readonly namespaceSelector?: Parameters<typeof selects>[0];
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

export function within(address: string, cidr: string): boolean {
  const [network = '', length = ''] = cidr.split('/');
  if (isIPv4(address) !== isIPv4(network)) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(length), isIPv4(network) ? 'ipv4' : 'ipv6');
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

function isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, party: Party): boolean {
  if ('address' in party) {
    if (!ipBlock || !within(party.address, ipBlock.cidr)) return false;
    return !ipBlock.except?.some((range) => within(party.address, range));
  }
  if (ipBlock) return false;
  const names = { 'kubernetes.io/metadata.name': party.namespace };
  const inNamespace = namespaceSelector ? selects(namespaceSelector, names) : party.namespace === 'presenza';
  return inNamespace && selects(podSelector, party.labels);
}

/** @param served ports of the pod that is reached, by which a rule may name one */
function allows(
  rule: Rule,
  way: { peers?: readonly Peer[] | undefined; other: Party; port: string; served: Container['ports'] },
) {
  const { peers, other, port, served } = way;
  const [protocol, number] = port.split('/') as [string, string];
  const portFits =
    !rule.ports ||
    rule.ports.some((one) => {
      const named = served?.find(({ name }) => name === one.port)?.containerPort;
      return (one.protocol ?? 'TCP') === protocol && (named ?? one.port) === Number(number);
    });
  return portFits && (!peers || peers.some((peer) => isPeer(peer, other)));
}

/** May A reach B? `port` is written as TCP/8080. */
export function mayReach(manifests: readonly Manifest[], from: Party, to: Party, port: string): boolean {
  const policies = ofKind(manifests, 'NetworkPolicy');
  const side = (direction: 'Ingress' | 'Egress', self: Party, other: Party) => {
    if ('address' in self || self.namespace !== 'presenza') return true; // not ours to decide
    const own = policies.filter(
      ({ spec }) => spec.policyTypes.includes(direction) && selects(spec.podSelector, self.labels),
    );
    const served = 'address' in to ? undefined : to.ports;
    if (own.length === 0) return true;
    return own.some(({ spec }) =>
      ((direction === 'Ingress' ? spec.ingress : spec.egress) ?? []).some((rule: Rule) =>
        allows(rule, { peers: rule.from ?? rule.to, other, port, served }),
      ),
    );
  };
  return side('Egress', from, to) && side('Ingress', to, from);
}
