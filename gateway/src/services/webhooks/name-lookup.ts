/**
 * Looks up the names of receivers. `dns.lookup` runs in the few threads of the process, where two names whose servers do
 * not respond delay all other lookups, those of other accounts included. These lookups use sockets of their own.
 */
import type { LookupAddress } from 'node:dns';
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';

/** @throws Error of which `syscall` names the lookup */
export type LookUp = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface NameLookupOptions {
  /** Name servers in the form of `Resolver.setServers`. Default: those of the system */
  readonly servers?: readonly string[];
  /** Limit of all tries of a lookup together, in ms. */
  readonly timeoutMs?: number;
}

/** Longer than two tries with one server. */
const defaultTimeoutMs = 5_000;
const hostsFile = '/etc/hosts';

/** Names that always mean this machine (RFC 6761, 6.3). */
export const isLocalhost = (hostname: string): boolean => /^(.+\.)?localhost\.?$/i.test(hostname);

/** Looks names up in DNS, and those of the hosts file as the system does. Search domains do not apply. */
export function nameLookup({ servers, timeoutMs = defaultTimeoutMs }: NameLookupOptions = {}): LookUp {
  const hosts = namesIn(hostsFile);
  return async (hostname) => {
    if (isLocalhost(hostname) || hosts.has(hostname.toLowerCase()))
      return systemLookup(hostname, { all: true });
    // Each lookup has its own resolver: no name affects the timeouts of another, and changed settings take effect.
    const resolver = new Resolver();
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), timeoutMs);
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    clearTimeout(timer);
    if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason;
    return [...addresses(ipv4, 4), ...addresses(ipv6, 6)];
  };
}

const addresses = (result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];

function namesIn(file: string): ReadonlySet<string> {
  const lines = textOf(file).split('\n');
  const fields = lines.map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  return new Set(fields.flatMap(([, ...names]) => names.map((name) => name.toLowerCase())));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
