// The Redis of a local start: its configuration when it is ours, and a PING in plain RESP for either kind, since
// no client library is at hand before the packages are installed.

import { execFileSync } from 'node:child_process';
import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Stop } from './stop.mjs';

const DEFAULT_PORT = 6379;

/**
 * @param {{ port: number, dir: string, password: string }} options dir must exist
 * @returns {string} for `redis-server -`: read from stdin, the password shows up in no process list and no file
 */
export function redisConfig({ port, dir, password }) {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    // Redis reads double quotes with JSON's escapes.
    `dir ${JSON.stringify(dir)}`,
    // Store of record: every write goes to the append-only file, and nothing is ever evicted.
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    'maxmemory-policy noeviction',
    'daemonize no',
    'loglevel warning',
    '',
  ].join('\n');
}

/**
 * @param {string} program
 * @throws {Stop} when the installed Redis is older than the gateway's scripts allow
 */
export function checkRedisVersion(program) {
  const version = execFileSync(program, ['--version'], { encoding: 'utf8' });
  const major = Number(/ v=(\d+)\./.exec(version)?.[1]);
  if (major < 7) {
    throw new Stop(
      `Presenza needs Redis 7 and ${program} is Redis ${major}: install a newer one, or set REDIS_URL to a Redis 7 you have.`,
    );
  }
}

/**
 * Authenticates where the URL says so, then sends PING.
 * @param {string} redisUrl
 * @param {number} timeoutMs
 * @returns {Promise<void>} rejects with Redis's own words, or the connection's error
 */
export function ping(redisUrl, timeoutMs = 1000) {
  const url = new URL(redisUrl);
  const commands = [...authentication(url), ['PING']];
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const address = { host, port: Number(url.port || DEFAULT_PORT) };
    const socket =
      url.protocol === 'rediss:' ? connectTls({ ...address, servername: host }) : connectPlain(address);
    /** @param {Error} [error] */
    const settle = (error) => {
      socket.destroy();
      if (error) reject(error);
      else resolve();
    };
    let replies = '';
    socket.setTimeout(timeoutMs, () => settle(new Error('no answer in time')));
    socket.on('error', settle).on('close', () => settle(new Error('connection closed')));
    socket.setEncoding('utf8').on('data', (chunk) => {
      replies += chunk;
      const lines = replies.split('\r\n').slice(0, -1);
      const refusal = lines.find((line) => line.startsWith('-'));
      if (refusal) settle(new Error(refusal.slice(1)));
      else if (lines.length === commands.length) settle();
    });
    socket.write(commands.map(encode).join(''));
  });
}

/** @param {URL} url @returns {string[][]} */
function authentication({ username, password }) {
  if (!password) return [];
  return [['AUTH', ...(username ? [decodeURIComponent(username)] : []), decodeURIComponent(password)]];
}

/** @param {string[]} words */
function encode(words) {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
}
