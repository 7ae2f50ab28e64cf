// Allocates ports for programs that cannot pick one themselves.

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

export const HOST = '127.0.0.1';
/** Addresses of this machine, for WEBHOOK_ALLOWED_ADDRESSES. */
export const LOOPBACK = '127.0.0.0/8,::1';

/** @returns {Promise<number>} a port that was free a moment ago */
export async function freePort() {
  return /** @type {number} */ ((await freePorts(1))[0]);
}

/**
 * Below the ports that the system gives to outgoing connections, one of which could take a port before its program
 * listens, or while a part is down. The bus of a Redis Cluster, 10,000 above the port of its node, is below them as well.
 * Browsers and `fetch` refuse port 10080.
 */
const RANGE = /** @type {const} */ ([10_100, 20_000]);

/** Each port is allocated once: its program may not listen yet when the next one is requested. @type {Set<number>} */
const allocated = new Set();

/** @param {number} count */
export async function freePorts(count) {
  /** @type {number[]} */
  const ports = [];
  while (ports.length < count) {
    const port = randomInt(...RANGE);
    if (allocated.has(port)) continue;
    allocated.add(port);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

/** @param {number} port */
async function isFree(port) {
  try {
    await (await listen(port)).close();
    return true;
  } catch {
    return false;
  }
}

/**
 * A TCP server on this machine that hangs up on every connection, to occupy a port.
 * @param {number} [port] 0: the system picks one
 */
export async function listen(port = 0) {
  const server = createServer((socket) => socket.destroy()).listen(port, HOST);
  await once(server, 'listening');
  return {
    port: /** @type {import('node:net').AddressInfo} */ (server.address()).port,
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}
