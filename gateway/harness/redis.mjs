// Starts Redis, one server or a cluster, and sends single commands in plain RESP, because `npm start` runs before any
// package is installed.

import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { removeFolder, temporaryFolder } from './folders.mjs';
import { freePort, HOST } from './ports.mjs';
import { runToEnd, startProcess } from './process.mjs';
import { waitUntil } from './wait.mjs';

/** @typedef {Awaited<ReturnType<typeof startRedis>>} RunningRedis */
/** @typedef {Awaited<ReturnType<typeof startRedisCluster>>} RunningRedisCluster */

const DEFAULT_PORT = 6379;
/** The longest wait for a byte from Redis. It includes delays of this process on a machine under load. */
const RESPONSE_TIMEOUT_MS = 10_000;

/**
 * @typedef {object} RedisOptions
 * @property {string} [folder] for its files; default: a new one, removed when the process ends
 * @property {number} [port] default: a free one
 * @property {boolean} [durable] whether each write goes to the append-only file, as in production
 * @property {Readonly<Record<string, string>>} [config] further directives of redis.conf
 * @property {Readonly<NodeJS.ProcessEnv>} [env]
 */

/**
 * The configuration of Redis on this machine. `redis-server -` reads it from stdin, so the password appears in no
 * process list and no file.
 * @param {object} options
 * @param {number} options.port
 * @param {string} options.dir must exist
 * @param {boolean} options.durable
 * @param {Readonly<Record<string, string>>} [options.config]
 */
export function redisConfig({ port, dir, durable, config = {} }) {
  const directives = {
    bind: HOST,
    port: String(port),
    dir,
    save: '',
    daemonize: 'no',
    'maxmemory-policy': 'noeviction',
    appendonly: durable ? 'yes' : 'no',
    appendfsync: 'everysec',
    ...config,
  };
  // Redis reads double quotes with JSON's escapes.
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}\n`)
    .join('');
}

/** @param {RedisOptions} [options] */
export async function startRedis({ folder, port, durable = false, config, env } = {}) {
  const redisPort = port ?? (await freePort());
  const dir = folder ?? temporaryFolder();
  const running = await startProcess('redis-server', ['-'], {
    name: 'redis',
    input: redisConfig({ port: redisPort, dir, durable, ...(config && { config }) }),
    ready: 'Ready to accept connections',
    ...(env && { env }),
  });
  if (folder === undefined) running.ended.then(() => removeFolder(dir));
  return Object.assign(running, { url: `redis://${HOST}:${redisPort}`, port: redisPort, folder: dir });
}

/**
 * Starts primaries that share the slots. The URL is that of the first node.
 * @param {Omit<RedisOptions, 'folder' | 'port'> & { primaries?: number }} [options]
 */
export async function startRedisCluster({ primaries = 3, config, ...options } = {}) {
  const starts = await Promise.allSettled(
    Array.from({ length: primaries }, () =>
      startRedis({ ...options, config: { 'cluster-enabled': 'yes', ...config } }),
    ),
  );
  const nodes = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const each = (/** @type {(node: RunningRedis) => Promise<unknown>} */ act) =>
    Promise.all(nodes.map(act)).then(() => {});
  const kill = () => each((node) => node.kill());
  try {
    for (const start of starts) if (start.status === 'rejected') throw start.reason;
    const addresses = nodes.map(({ port }) => `${HOST}:${port}`);
    const created = await runToEnd('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes']);
    if (created.code !== 0) throw new Error(`redis-cli could not create the cluster:\n${created.stdout}`);
    await each(({ url }) =>
      waitUntil('the Redis Cluster is complete', async () =>
        (await redisCommand(url, ['CLUSTER', 'INFO'])).includes('cluster_state:ok'),
      ),
    );
    const { url } = /** @type {RunningRedis} */ (nodes[0]);
    return { url, nodes, stop: () => each((node) => node.stop()), kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

/**
 * @param {string} redisUrl
 * @param {number} [timeoutMs]
 */
export async function ping(redisUrl, timeoutMs = RESPONSE_TIMEOUT_MS) {
  await redisCommand(redisUrl, ['PING'], timeoutMs);
}

/**
 * Authenticates where the URL has a password, then sends one command.
 * @param {string} redisUrl
 * @param {readonly string[]} command one whose reply is a string or a number
 * @param {number} [timeoutMs]
 * @returns {Promise<string>} the reply; rejects with Redis's own error or the connection's
 */
export function redisCommand(redisUrl, command, timeoutMs = RESPONSE_TIMEOUT_MS) {
  const url = new URL(redisUrl);
  const commands = [...authentication(url), command];
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const address = { host, port: Number(url.port || DEFAULT_PORT) };
    const socket =
      url.protocol === 'rediss:' ? connectTls({ ...address, servername: host }) : connectPlain(address);
    const fail = (/** @type {Error} */ error) => {
      socket.destroy();
      reject(error);
    };
    let received = '';
    socket.setTimeout(timeoutMs, () => fail(new Error('no response in time')));
    socket.on('error', fail).on('close', () => fail(new Error('connection closed')));
    socket.setEncoding('latin1').on('data', (chunk) => {
      received += chunk;
      const replies = repliesIn(received);
      const refusal = replies.find((reply) => reply.startsWith('-'));
      const last = replies[commands.length - 1];
      if (refusal) fail(new Error(refusal.slice(1)));
      else if (last !== undefined) {
        resolve(last.slice(1));
        socket.destroy();
      }
    });
    socket.write(commands.map(encode).join(''));
  });
}

/** @param {URL} url @returns {string[][]} */
function authentication({ username, password }) {
  if (!password) return [];
  return [['AUTH', ...(username ? [decodeURIComponent(username)] : []), decodeURIComponent(password)]];
}

/** @param {readonly string[]} command */
function encode(command) {
  return `*${command.length}\r\n${command.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
}

/**
 * @param {string} received
 * @returns {string[]} complete replies, each prefixed with its type
 */
function repliesIn(received) {
  /** @type {string[]} */
  const replies = [];
  for (let at = 0; ; ) {
    const lineEnd = received.indexOf('\r\n', at);
    if (lineEnd < 0) return replies;
    const line = received.slice(at, lineEnd);
    at = lineEnd + 2;
    const length = line.startsWith('$') ? Number(line.slice(1)) : -1;
    if (length < 0) {
      replies.push(line);
      continue;
    }
    if (received.length < at + length + 2) return replies;
    replies.push(`$${received.slice(at, at + length)}`);
    at += length + 2;
  }
}
