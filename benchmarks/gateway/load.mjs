/**
 * Load from a process of its own: plain sockets, one request at a time on each, kept alive, no HTTP library. A
 * measurement forks it through `applyLoad`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Load
 * @property {string} url
 * @property {string} path
 * @property {Record<string, string>} headers beside Host and Content-Length
 * @property {Uint8Array} body
 * @property {number} connections
 * @property {number} seconds
 * @property {number} [perSecond] requests, begun on time whatever the answers do; without it as fast as they come
 * @property {boolean} [minusInference] milliseconds are those of the answer less those that `stand-in.mjs` took
 */

/**
 * @typedef {object} Loaded
 * @property {number} requests
 * @property {number} seconds
 * @property {number} cpuSeconds that this load took itself
 * @property {Record<string, number>} statuses
 * @property {Float64Array} milliseconds of each request, from its first byte to the last of the answer
 */

/**
 * @param {Load} load
 * @returns {Promise<Loaded>}
 */
export async function applyLoad(load) {
  const child = fork(fileURLToPath(import.meta.url), ['--child'], { serialization: 'advanced' });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The load ended with ${code}`);
  });
  child.send(load);
  const [loaded] = await Promise.race([once(child, 'message'), failed]);
  failed.catch(() => {});
  // Only now: an end of its own could overtake its last message.
  child.disconnect();
  return loaded;
}

/** One connection that asks one thing at a time. */
class Connection {
  /** @param {string} url @param {Buffer} bytes the whole request */
  constructor(url, bytes) {
    this.bytes = bytes;
    /** @type {Buffer} */
    this.received = Buffer.alloc(0);
    /** @type {((answer: { status: number, body: Buffer }) => void) | undefined} */
    this.resolve = undefined;
    const { hostname, port } = new URL(url);
    this.socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.socket.on('data', (chunk) => this.take(chunk));
    this.socket.on('error', (error) => {
      throw error;
    });
  }

  /** @returns {Promise<{ status: number, body: Buffer }>} */
  ask() {
    this.socket.write(this.bytes);
    return new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  /** @param {Buffer} chunk */
  take(chunk) {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const end = this.received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.received.toString('latin1', 0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.received.length < end + 4 + length) return;
    const body = this.received.subarray(end + 4, end + 4 + length);
    this.received = this.received.subarray(end + 4 + length);
    this.resolve?.({ status: Number(head.slice(9, 12)), body });
  }
}

/** @param {Load} load @returns {Promise<Loaded>} */
async function run(load) {
  const bytes = requestBytes(load);
  const connections = Array.from({ length: load.connections }, () => new Connection(load.url, bytes));
  await Promise.all(connections.map(({ socket }) => once(socket, 'connect')));
  /** @type {Record<string, number>} */
  const statuses = {};
  /** @type {number[]} */
  const milliseconds = [];
  const cpu = process.cpuUsage();
  const begin = performance.now();
  /** @param {Connection} connection */
  const ask = async (connection) => {
    const sent = performance.now();
    const { status, body } = await connection.ask();
    const ms = performance.now() - sent;
    statuses[status] = (statuses[status] ?? 0) + 1;
    milliseconds.push(load.minusInference && status === 200 ? ms - inferenceMs(body) : ms);
  };
  if (load.perSecond) await onTime(connections, load, ask);
  else await asFastAsTheyCome(connections, begin + load.seconds * 1e3, ask);
  const seconds = (performance.now() - begin) / 1e3;
  const { user, system } = process.cpuUsage(cpu);
  for (const { socket } of connections) socket.destroy();
  return {
    requests: milliseconds.length,
    seconds,
    cpuSeconds: (user + system) / 1e6,
    statuses,
    milliseconds: Float64Array.from(milliseconds),
  };
}

/** @param {Load} load */
function requestBytes({ url, path, headers, body }) {
  const lines = Object.entries({ Host: new URL(url).host, 'Content-Length': body.length, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
}

/** @param {Buffer} body */
const inferenceMs = (body) => 1e3 * JSON.parse(body.toString('utf8')).data.faces[0].confidence;

/**
 * @param {Connection[]} connections
 * @param {number} end
 * @param {(connection: Connection) => Promise<void>} ask
 */
async function asFastAsTheyCome(connections, end, ask) {
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < end) await ask(connection);
    }),
  );
}

/**
 * @param {Connection[]} connections
 * @param {Load} load
 * @param {(connection: Connection) => Promise<void>} ask
 * @throws Error when all connections wait: then the rate cannot be kept
 */
async function onTime(connections, { perSecond = 1, seconds }, ask) {
  const idle = [...connections];
  const begin = performance.now();
  const pending = [];
  for (let i = 0; i < perSecond * seconds; i++) {
    const early = begin + (i * 1e3) / perSecond - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    // Each in its turn: the server closes one that never asks anything.
    const connection = idle.shift();
    if (!connection) throw new Error(`${connections.length} connections do not carry ${perSecond} a second`);
    pending.push(ask(connection).then(() => idle.push(connection)));
  }
  await Promise.all(pending);
}

if (process.argv[2] === '--child') {
  process.once('message', async (load) => {
    const loaded = await run(/** @type {Load} */ (load));
    process.send?.(loaded);
  });
}
