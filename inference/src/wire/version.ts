/**
 * The version of the wire. Gateway and tier state theirs in `x-wire-version`, on every request and every response, and
 * each checks the other's before it reads anything else.
 *
 * The minor number counts additions: a header, property or operation that the other side may ignore. Neither side relies
 * on an addition until every replica of the other side has it. The major number counts everything else, from the first
 * release on. Until then no installation runs an older version, so removals raise the minor number, too.
 *
 * Rolling upgrades, in either order:
 * - Same major: both sides serve each other. A message without the header counts as version 1.0.
 * - New gateway, old tier: the gateway refuses the response. Its clients receive 503 SERVICE_UNAVAILABLE and its log
 *   names both versions. It has never found a tier that it can use, so its /readyz responds with 503 and no traffic is
 *   routed to it; the old gateways keep serving.
 * - Old gateway, new tier: the tier responds with 503 and logs both versions, to the gateway's /readyz probe as well as
 *   to requests. A gateway that starts now is not ready. One that served before stays in rotation and reports the tier
 *   as degraded, because a load balancer must not remove every gateway for a tier that all of them share.
 * So a new major needs a second Deployment of the tier, with an address of its own, which the new gateways use.
 */
export type WireVersion = '1.7';

export const wireVersion: WireVersion = '1.7';

/** The version of a message without the header, such as the error page of a proxy. */
const unversioned = '1.0';

/** @returns why the two sides cannot work together, as a sentence for the log, or undefined when they can */
export function incompatibility(peer: string, version = unversioned): string | undefined {
  const [major] = version.split('.');
  const [expected] = wireVersion.split('.');
  if (major === expected) return undefined;
  return `The ${peer} speaks version ${version.slice(0, 16)} of the wire and this process ${wireVersion}: upgrade one of them to the same major version`;
}
