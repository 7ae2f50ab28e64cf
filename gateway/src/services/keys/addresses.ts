/** Network addresses of clients: one way to write each, and lists of ranges that may contain them. */
import { BlockList, isIP, isIPv4, SocketAddress } from 'node:net';

/** `::ffff:192.0.2.1`, the form in which a socket that listens on IPv6 shows an IPv4 client. */
const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An IPv4 address as such, whichever way it is written; an IPv6 address in its shortest form, without a zone. */
export function normalizeAddress(text: string): string {
  const [address = ''] = text.split('%');
  if (isIP(address) !== 6) return address;
  const short = new SocketAddress({ address, family: 'ipv6' }).address;
  return mapped.exec(short)?.[1] ?? short;
}

/** Whom a client's address belongs to: an IPv4 address stands for itself, an IPv6 address for its /64. */
export function sourceOf(text: string): string {
  const address = normalizeAddress(text);
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = new Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}

/** Whether a text is an address, or one with a prefix length. */
export function isRange(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const bits = isIP(address) === 4 ? 32 : 128;
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return false;
  return length === undefined || (/^(0|[1-9]\d{0,2})$/.test(length) && Number(length) <= bits);
}

/** Addresses and ranges in CIDR notation, as one list to look an address up in. */
export class AddressList {
  private readonly list = new BlockList();

  /** @param ranges each of which `isRange`. */
  constructor(readonly ranges: readonly string[]) {
    for (const range of ranges) this.add(range);
  }

  /** False for what is no address. */
  includes(text: string): boolean {
    const address = normalizeAddress(text);
    return isIP(address) !== 0 && this.list.check(address, familyOf(address));
  }

  private add(range: string): void {
    const [address = '', length] = range.split('/');
    const plain = normalizeAddress(address);
    const bits = isIPv4(plain) ? 32 : 128;
    // A range of mapped addresses counts the 96 bits before the IPv4 address as well.
    const offset = isIPv4(plain) && !isIPv4(address) ? 96 : 0;
    const prefix = length === undefined ? bits : Number(length) - offset;
    if (prefix >= 0) this.list.addSubnet(plain, prefix, familyOf(plain));
    else this.list.addSubnet(address, Number(length), 'ipv6');
  }
}

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6');
