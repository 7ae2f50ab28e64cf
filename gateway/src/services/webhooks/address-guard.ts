/**
 * Which addresses events may be sent to. Whoever sets an endpoint chooses where this process connects to, so nothing
 * inside the operator's network may be reached that way (server-side request forgery).
 */
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { AddressList, normalizeAddress } from '../keys/addresses';

/** Loopback, of RFC 6890 and RFC 4291. */
const loopback = ['127.0.0.0/8', '::1'];

/**
 * Everything of the IANA special-purpose registries (RFC 6890) that is not globally reachable, and what leads back to
 * an IPv4 address by another way. IPv4-mapped addresses are judged as the IPv4 address that they are.
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

/**
 * In a list of their own: Node compares an IPv4 address with ranges of IPv6 in its mapped form, which lies in ::/3.
 */
const refusedIpv6 = [
  // Of IPv6 only 2000::/3 is global unicast. These cover the rest, among it loopback, unspecified,
  // IPv4-compatible, NAT64 (64:ff9b::/96 and 64:ff9b:1::/48), unique local, link-local and multicast.
  '::/3',
  '4000::/2',
  '8000::/1',
  // Within it: protocol assignments with Teredo, documentation, 6to4, documentation, segment routing.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
];

const isLocalhost = /^(.+\.)?localhost\.?$/i;

export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'ADDRESS_REFUSED';

  constructor() {
    super('The address of the endpoint is not one that events may be sent to');
  }
}

export interface AddressRules {
  /** Whether receivers may be on this machine. */
  readonly allowLoopback: boolean;
  /** Addresses and ranges that are allowed all the same, such as the operator's own network. */
  readonly allowed?: readonly string[];
}

/** As `dns.lookup`. */
export type Resolve = typeof systemLookup;

export class AddressGuard {
  private readonly allowed: AddressList;
  private readonly refused = { ipv4: new AddressList(refusedIpv4), ipv6: new AddressList(refusedIpv6) };

  constructor(
    { allowLoopback, allowed = [] }: AddressRules,
    private readonly resolve: Resolve = systemLookup,
  ) {
    this.allowed = new AddressList([...allowed, ...(allowLoopback ? loopback : [])]);
  }

  /** False for what is no address. */
  allows(text: string): boolean {
    const address = normalizeAddress(text);
    if (isIP(address) === 0) return false;
    const refused = isIP(address) === 4 ? this.refused.ipv4 : this.refused.ipv6;
    return this.allowed.includes(address) || !refused.includes(address);
  }

  /**
   * Judges a host without a DNS look-up: an address, or a name that always stands for this machine (RFC 6761, 6.3).
   * Other names pass: what they resolve to can change, so `lookup` judges it each time.
   * @throws AddressRefused
   */
  checkHost(hostname: string): void {
    const address = isLocalhost.test(hostname) ? '127.0.0.1' : hostname.replace(/^\[|\]$/g, '');
    if (isIP(address) !== 0 && !this.allows(address)) throw new AddressRefused();
  }

  /**
   * The look-up that a socket is given. The address that is checked is the one that is connected to: asking twice could
   * be answered twice. A name with any refused address is refused as a whole.
   */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => this.allows(address))) {
        return callback(new AddressRefused(), '', 0);
      }
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}
