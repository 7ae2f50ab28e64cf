/** Lookups with a real DNS server of the test. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { nameLookup } from './name-lookup';

const [typeA, typeAaaa] = [1, 28];
const hanging = /\.hanging\.example$/;

let server: Socket;
let servers: string[];
/** Names in the order of their first queries. */
const asked = new Set<string>();
let onAsked = () => {};

/** The question of a query (RFC 1035, 4.1.2). */
function questionIn(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] as number; length > 0; length = query[at] as number) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A response with one address, or with the code for an unknown name. */
function responseTo(query: Buffer, address?: readonly number[]): Buffer {
  const { type, end } = questionIn(query);
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(address ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(address ? 1 : 0, 6);
  header.writeUInt32BE(0, 8);
  const record = Buffer.alloc(address ? 12 : 0);
  if (address) {
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(address.length, 10);
  }
  return Buffer.concat([header, query.subarray(12, end), record, Buffer.from(address ?? [])]);
}

beforeAll(async () => {
  server = createSocket('udp4').bind(0, '127.0.0.1');
  server.on('message', (query, { port, address }) => {
    const { name, type } = questionIn(query);
    asked.add(name);
    onAsked();
    if (hanging.test(name)) return;
    const isV4 = type === typeA && name !== 'v6.example';
    const isV6 = type === typeAaaa && name !== 'v4.example';
    const known = name !== 'unknown.example' && (isV4 || isV6);
    const bytes = isV4 ? [8, 8, 8, 8] : [0x20, 1, ...Array(13).fill(0), 1];
    server.send(responseTo(query, known ? bytes : undefined), port, address);
  });
  await once(server, 'listening');
  servers = [`127.0.0.1:${(server.address() as AddressInfo).port}`];
});
afterAll(() => {
  server.close();
});

const ipv4 = { address: '8.8.8.8', family: 4 };
const ipv6 = { address: '2001::1', family: 6 };

test.each([
  ['both.example', [ipv4, ipv6]],
  ['v4.example', [ipv4]],
  ['v6.example', [ipv6]],
])('finds the addresses of %s', async (name, addresses) => {
  expect(await nameLookup({ servers })(name)).toEqual(addresses);
});

test('names of the hosts file need no DNS', async () => {
  expect(await nameLookup({ servers })('localhost')).toContainEqual({ address: '127.0.0.1', family: 4 });
  expect(asked).not.toContain('localhost');
});

test('fails for an unknown name as a lookup', async () => {
  await expect(nameLookup({ servers })('unknown.example')).rejects.toMatchObject({
    syscall: 'queryA',
    code: 'ENOTFOUND',
  });
});

test('names whose servers do not respond delay no other name', async () => {
  // More than the process has threads.
  const names = Array.from({ length: 64 }, (_, at) => `name-${at}.hanging.example`);
  const allAsked = new Promise<void>((resolve) => {
    onAsked = () => {
      if (names.every((name) => asked.has(name))) resolve();
    };
  });
  const lookUp = nameLookup({ servers, timeoutMs: 1_000 });
  const failures = Promise.allSettled(names.map(lookUp));
  await allAsked;
  expect(await nameLookup({ servers })('both.example')).toEqual([ipv4, ipv6]);
  for (const result of await failures)
    expect(result).toMatchObject({ reason: { syscall: 'queryA', code: 'ECANCELLED' } });
});
