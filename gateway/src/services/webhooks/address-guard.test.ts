import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { AddressGuard } from './address-guard';
import type { LookUp } from './name-lookup';
import { HttpSender } from './sender';

const strict = new AddressGuard({ allowLoopback: false });

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '100.127.255.255',
  '100.100.100.200',
  '169.254.169.254',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '192.88.99.1',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2002:808:808::',
  '2001::1',
  '2001:db8::1',
  '3fff::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '100::1',
  '5f00::1',
  '4000::1',
  '8000::1',
  '',
  'localhost',
  '1.2.3',
  '1.2.3.4.5',
])('refuses %j', (address) => {
  expect(strict.allows(address)).toBe(false);
});

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '169.253.1.1',
  '223.255.255.255',
  '192.0.1.1',
  '::ffff:8.8.8.8',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
  '2001:200::1',
])('allows %s', (address) => {
  expect(strict.allows(address)).toBe(true);
});

test('allows the exceptions of the operator and no other private address', () => {
  const guard = new AddressGuard({ allowLoopback: true, allowed: ['10.1.0.0/16', 'fd00::/8'] });
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', 'fd00::1', '8.8.8.8'])
    expect([address, guard.allows(address)]).toEqual([address, true]);
  for (const address of ['10.2.0.1', '169.254.169.254', 'fe80::1'])
    expect([address, guard.allows(address)]).toEqual([address, false]);
});

test.each(['127.0.0.1', '[::1]', '[::ffff:7f00:1]', '169.254.169.254'])('refuses the host %s', (host) => {
  expect(() => strict.checkHost(host)).toThrow('may not be sent to this address');
});

test.each(['localhost', 'LOCALHOST.', 'api.localhost'])('treats the host %s as this machine', (host) => {
  expect(() => strict.checkHost(host)).toThrow('may not be sent to this address');
  new AddressGuard({ allowLoopback: true }).checkHost(host);
});

test.each(['example.com', 'localhost.example.com', 'notlocalhost', '8.8.8.8', '[2606:4700::1111]'])(
  'accepts the host %s without a lookup',
  (host) => {
    const lookUp = jest.fn();
    new AddressGuard({ allowLoopback: false }, lookUp).checkHost(host);
    expect(lookUp).not.toHaveBeenCalled();
  },
);

describe('on a socket', () => {
  let server: Server;
  let port: number;
  let connections = 0;
  beforeAll(async () => {
    server = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
    server.on('connection', () => connections++);
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => {
    server.close();
  });

  /** Resolves each lookup to the next list of addresses. */
  const resolving = (...replies: string[][]) => {
    const left = [...replies];
    return jest.fn<ReturnType<LookUp>, [string]>(async () => {
      const addresses = (left.length > 1 ? left.shift() : left[0]) as string[];
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    });
  };
  const post = (guard: AddressGuard, host: string) =>
    new HttpSender(guard).post({
      url: `http://${host}:${port}/`,
      headers: {},
      body: Buffer.from('{}'),
      timeoutMs: 300,
    });

  test('stops a name that is public first and 127.0.0.1 later', async () => {
    // Nothing responds at this address of a documentation range, which stands for a public one here.
    const lookUp = resolving(['192.0.2.1'], ['127.0.0.1']);
    const guard = new AddressGuard({ allowLoopback: false, allowed: ['192.0.2.0/24'] }, lookUp);
    const before = connections;
    const first = await post(guard, 'turncoat.example');
    expect(first.failure).not.toBe('address');
    expect(lookUp).toHaveBeenCalledTimes(1);
    expect(await post(guard, 'turncoat.example')).toMatchObject({ failure: 'address' });
    expect(connections).toBe(before);
  });

  test('refuses a name with one refused address among others', async () => {
    const guard = new AddressGuard({ allowLoopback: false }, resolving(['8.8.8.8', '127.0.0.1']));
    expect(await post(guard, 'mixed.example')).toMatchObject({ failure: 'address' });
  });

  test.each(['127.0.0.1', '2130706433', '0x7f.1', '017700000001', '[::ffff:127.0.0.1]', 'localhost'])(
    'stops http://%s unless loopback is allowed',
    async (host) => {
      const before = connections;
      expect(await post(strict, host)).toMatchObject({ failure: 'address' });
      expect(connections).toBe(before);
      expect(await post(new AddressGuard({ allowLoopback: true }), host)).toMatchObject({ status: 200 });
    },
  );
});
