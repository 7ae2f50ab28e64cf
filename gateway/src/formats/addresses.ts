/** Network addresses of clients: their canonical form, and lists of ranges that may contain them. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An IPv4 address that is mapped into IPv6 counts as IPv4. Zones are ignored. */
function parse(text: string): Address | undefined {
  const [address = ''] = text.split('%');
  return isIP(address) === 0 ? undefined : ipaddr.process(address);
}

/** The shortest form of an address, without a zone. Any other text stays as it is. */
export const normalizeAddress = (text: string): string => parse(text)?.toString() ?? text;

/** The network that an address belongs to: an IPv4 address is its own, an IPv6 address belongs to its /64. */
export const sourceOf = (text: string): string => networkOf(text, 64);

/** The same with another prefix of IPv6. @param bits 0 to 64 */
export function networkOf(text: string, bits: number): string {
  const address = parse(text);
  if (address === undefined || address.kind() === 'ipv4') return address?.toString() ?? text;
  const network = (address as ipaddr.IPv6).parts.slice(0, 4).map((part, i) => {
    const kept = Math.min(16, Math.max(0, bits - 16 * i));
    return (part & (0xffff << (16 - kept))).toString(16);
  });
  return `${network.join(':')}::/${bits}`;
}

/** Whether a text is an address, or one with a prefix length. */
export function isRange(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const bits = isIP(address) === 4 ? 32 : 128;
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return false;
  return length === undefined || (/^(0|[1-9]\d{0,2})$/.test(length) && Number(length) <= bits);
}

/** A list of addresses and ranges in CIDR notation. */
export class AddressList {
  private readonly networks: readonly (readonly [Address, number])[];

  /** @param ranges each of which `isRange`. */
  constructor(readonly ranges: readonly string[]) {
    this.networks = ranges.map(rangeOf);
  }

  /** Whether the list contains every address of a range, in one range of its own. @param range that `isRange` */
  contains(range: string): boolean {
    const [address, length] = rangeOf(range);
    return this.networks.some(
      ([network, bits]) =>
        network.kind() === address.kind() && bits <= length && address.match(network as never, bits),
    );
  }

  /** False if the text is not an address. */
  includes(text: string): boolean {
    const address = parse(text);
    if (address === undefined) return false;
    return this.networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits),
    );
  }
}

function rangeOf(range: string): readonly [Address, number] {
  const [text = '', length] = range.split('/');
  const written = ipaddr.parse(text);
  const network = ipaddr.process(text);
  if (length === undefined) return [network, network.kind() === 'ipv4' ? 32 : 128];
  // The prefix of a mapped IPv4 range counts the 96 bits before the IPv4 address as well.
  const bits = Number(length) - (written.kind() === network.kind() ? 0 : 96);
  return bits >= 0 ? [network, bits] : [written, Number(length)];
}
