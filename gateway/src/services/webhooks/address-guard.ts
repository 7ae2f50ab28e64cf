/**
 * Decides which addresses the gateway may send events to. Customers choose the URL of an endpoint, so without this guard
 * they could reach the operator's internal network (server-side request forgery).
 */
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Account } from '../keys/accounts';
import { isLocalhost, type LookUp, nameLookup } from './name-lookup';

/** Loopback (RFC 6890 and RFC 4291). */
const loopback = ['127.0.0.0/8', '::1'];

/**
 * Every range of the IANA special-purpose registries (RFC 6890) that is not globally reachable, and those that embed an
 * IPv4 address. An IPv4-mapped address counts as its IPv4 address.
 */
const refusedIpv4 = [
  '0.0.0.0/8',
  '127.0.0.0/8',
  '10.0.0.0/8',
  // Carrier-grade NAT (RFC 6598); one cloud's metadata service is 100.100.100.200.
  '100.64.0.0/10',
  // Link-local; most clouds' metadata service is 169.254.169.254.
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  // Multicast, reserved, broadcast.
  '224.0.0.0/3',
  // Metadata service of a cloud, at a public address.
  '168.63.129.16',
];

const refusedIpv6 = [
  // Only 2000::/3 is global unicast. These cover the rest: loopback, unspecified, IPv4-compatible, NAT64
  // (64:ff9b::/96 and 64:ff9b:1::/48), unique local, link-local and multicast among others.
  '::/3',
  '4000::/2',
  '8000::/1',
  // Within 2000::/3: protocol assignments with Teredo, documentation, 6to4, documentation.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
];

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Matches addresses against ranges in CIDR notation. IPv4 addresses and ranges match in their IPv6-mapped form. */
function matcher(ranges: readonly string[]): (address: Address) => boolean {
  const mapped = (address: Address) =>
    'toIPv4MappedAddress' in address ? address.toIPv4MappedAddress() : address;
  const parsed = ranges.map((range): [ipaddr.IPv6, number] => {
    const [base, bits] = ipaddr.parseCIDR(
      range.includes('/') ? range : `${range}/${isIP(range) === 4 ? 32 : 128}`,
    );
    return [mapped(base), base.kind() === 'ipv4' ? bits + 96 : bits];
  });
  return (address) => parsed.some((range) => mapped(address).match(range));
}

const isRefused = { ipv4: matcher(refusedIpv4), ipv6: matcher(refusedIpv6) };

export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'ADDRESS_REFUSED';

  constructor() {
    super('Events may not be sent to this address');
  }
}

export interface AddressRules {
  /** Whether receivers may run on this machine. Default: no. */
  readonly allowLoopback?: boolean;
  /** Exceptions for every account, as addresses or ranges, such as the operator's own network. */
  readonly allowed?: readonly string[];
}

export class AddressGuard {
  private readonly isException: (address: Address) => boolean;
  private withLoopback: AddressGuard | undefined;

  constructor(
    private readonly rules: AddressRules,
    private readonly lookUp: LookUp = nameLookup(),
  ) {
    const { allowLoopback = false, allowed = [] } = rules;
    this.isException = matcher([...allowed, ...(allowLoopback ? loopback : [])]);
  }

  /** The guard of an account's endpoints: this one, or one that also allows receivers on this machine. */
  for({ localWebhooks = false }: Pick<Account, 'localWebhooks'>): AddressGuard {
    if (!localWebhooks) return this;
    this.withLoopback ??= new AddressGuard({ ...this.rules, allowLoopback: true }, this.lookUp);
    return this.withLoopback;
  }

  /** @returns false for text that is not an IP address. */
  allows(text: string): boolean {
    // ipaddr.js also parses the short and octal forms that sockets would resolve as names.
    if (isIP(text) === 0) return false;
    const address = ipaddr.process(text);
    return this.isException(address) || !isRefused[address.kind()](address);
  }

  /**
   * Checks a host without a DNS lookup: an address, or a name that always means this machine. Other names pass, because
   * they can resolve differently each time: `lookup` checks their addresses.
   * @throws AddressRefused
   */
  checkHost(hostname: string): void {
    const address = isLocalhost(hostname) ? '127.0.0.1' : hostname.replace(/^\[|\]$/g, '');
    if (isIP(address) !== 0 && !this.allows(address)) throw new AddressRefused();
  }

  /**
   * The lookup function for sockets. The socket connects to the very address that passed the check: a second lookup
   * could give another address. A name with any refused address is refused as a whole.
   */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    const refuse = (error: Error) => callback(error, '', 0);
    this.lookUp(hostname).then((addresses) => {
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => this.allows(address)))
        return refuse(new AddressRefused());
      if (options.all) return callback(null, [...addresses]);
      return callback(null, first.address, first.family);
    }, refuse);
  };
}
