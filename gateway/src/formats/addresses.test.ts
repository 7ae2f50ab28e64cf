import { BlockList } from 'node:net';
import fc from 'fast-check';
import { AddressList, isRange, normalizeAddress, sourceOf } from './addresses';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:0201', '192.0.2.1'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
])('%s is %s', (text, address) => {
  expect(normalizeAddress(text)).toBe(address);
});

test('IPv6 addresses have one source exactly where they share a /64', () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.ipV6(), fc.boolean(), (address, other, related) => {
      // Two random addresses never share a network: half of the pairs differ in their last bits only.
      const second = related ? address.replace(/[0-9a-f]+$/i, '7') : other;
      if ([address, second].some((address) => !normalizeAddress(address).includes(':'))) return;
      const network = new BlockList();
      network.addSubnet(address, 64, 'ipv6');
      expect(sourceOf(address) === sourceOf(second)).toBe(network.check(second, 'ipv6'));
    }),
  );
  expect(sourceOf('2001:db8::1')).toBe(sourceOf('2001:db8:0:0:ffff::2'));
  expect(sourceOf('2001:db8::1')).not.toBe(sourceOf('2001:db8:0:1::1'));
  expect(sourceOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
});

test.each([
  [['192.0.2.0/24'], '192.0.2.77', true],
  [['192.0.2.0/24'], '192.0.3.1', false],
  [['192.0.2.7'], '::ffff:192.0.2.7', true],
  [['::ffff:192.0.2.0/120'], '192.0.2.7', true],
  [['::ffff:192.0.2.0/120'], '192.0.3.7', false],
  [['10.0.0.0/8', '2001:db8::/32'], '2001:db8:5::1', true],
  [['10.0.0.0/8', '2001:db8::/32'], '2001:db9::1', false],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['::1'], 'not an address', false],
  [['::1'], '', false],
])('%j includes %s: %s', (ranges, address, expected) => {
  expect(new AddressList(ranges).includes(address)).toBe(expected);
});

test.each([
  [['192.0.2.0/24'], '192.0.2.0/25', true],
  [['192.0.2.0/24'], '192.0.2.77', true],
  [['192.0.2.0/24'], '192.0.2.77/24', true],
  [['192.0.2.0/24'], '192.0.2.0/23', false],
  [['192.0.2.0/24'], '192.0.3.1', false],
  [['192.0.2.0/24'], '::ffff:192.0.2.0/120', true],
  [['0.0.0.0/0'], '::/0', false],
  [['::/0'], '0.0.0.0/0', false],
  [['2001:db8::/32'], '2001:db8:1::/48', true],
])('%j contains %s: %s', (ranges, range, expected) => {
  expect(new AddressList(ranges).contains(range)).toBe(expected);
});

test.each([
  '192.0.2.0/33',
  '192.0.2/24',
  '::/129',
  '::1/',
  '::1/64/64',
  '::1/064',
  'fe80::1%eth0',
  'localhost',
  '',
  '-1/1',
])('%j is no range', (text) => {
  expect(isRange(text)).toBe(false);
});
