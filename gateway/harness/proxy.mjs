// A TCP proxy that fails on request. It stands between two parts of the service and forwards bytes until it is asked to
// hold, slow, cut, refuse, partition or half-open connections; `heal` makes it forward again. It does not
// interpret the bytes and buffers few of them: as on a real network, the rest stays with the sender.

import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { HOST } from './ports.mjs';

/** `up`: from the client to the target. `down`: back. */
/** @typedef {'up' | 'down'} Direction */
/** @typedef {{ latencyMs?: number, bytesPerSecond?: number }} Slowness */
/** The rule of one direction. */
/** @typedef {Slowness & { held?: boolean }} Rule */
/** Port of the target on this machine; undefined: there is none, and the connection is reset. */
/** @typedef {() => number | undefined} Target */

/** Above this size the proxy stops reading, like a socket with a full buffer. */
const MAX_HELD_BYTES = 64 * 1024;
/** Slowed bytes are sent in small pieces, so that a slow connection does not send in bursts. */
const PIECE_BYTES = 4 * 1024;

/** One direction of one connection. */
class Lane {
  /** An entry without bytes is the end of the direction. @type {{ bytes: Buffer | undefined, due: number }[]} */
  #waiting = [];
  #heldBytes = 0;
  /** When a connection with a bandwidth limit may send again. */
  #freeAt = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /**
   * @param {import('node:net').Socket} from
   * @param {import('node:net').Socket} to
   * @param {() => Rule} rule the current one
   */
  constructor(from, to, rule) {
    this.from = from;
    this.to = to;
    this.rule = rule;
    from.on('data', (bytes) => this.#take(bytes)).on('end', () => this.#take(undefined));
    to.on('drain', () => this.pump());
  }

  /** @param {Buffer | undefined} bytes */
  #take(bytes) {
    const due = performance.now() + (this.rule().latencyMs ?? 0);
    for (let at = 0; bytes && at < bytes.length; at += PIECE_BYTES)
      this.#waiting.push({ bytes: bytes.subarray(at, at + PIECE_BYTES), due });
    if (!bytes) this.#waiting.push({ bytes, due });
    this.#heldBytes += bytes?.length ?? 0;
    if (this.#heldBytes >= MAX_HELD_BYTES) this.from.pause();
    this.pump();
  }

  /** Sends everything that is due. */
  pump() {
    clearTimeout(this.#timer);
    for (let [next] = this.#waiting; next; [next] = this.#waiting) {
      const { held, bytesPerSecond } = this.rule();
      if (held || this.to.writableNeedDrain) return;
      const now = performance.now();
      const waitMs = Math.max(next.due, bytesPerSecond ? this.#freeAt : 0) - now;
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.pump(), waitMs);
        return;
      }
      this.#waiting.shift();
      if (!next.bytes) {
        this.to.end();
        return;
      }
      this.#heldBytes -= next.bytes.length;
      if (bytesPerSecond) this.#freeAt = now + (1e3 * next.bytes.length) / bytesPerSecond;
      this.to.write(next.bytes);
    }
    if (this.from.isPaused()) this.from.resume();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#waiting = [];
  }
}

/** A connection through the proxy. */
class Connection {
  /**
   * @param {import('node:net').Socket} client
   * @param {import('node:net').Socket | undefined} server undefined in a partition
   * @param {(direction: Direction) => Rule} rule
   * @param {() => void} onClosed
   */
  constructor(client, server, rule, onClosed) {
    this.client = client;
    this.server = server;
    /** Whether the end of one side stays hidden from the other. */
    this.silent = server === undefined;
    this.lanes = server
      ? [new Lane(client, server, () => rule('up')), new Lane(server, client, () => rule('down'))]
      : [];
    if (!server) client.resume();
    for (const socket of [client, server]) {
      socket?.setNoDelay(true);
      socket?.on('error', () => {});
      socket?.on('close', (failed) => {
        if (failed) this.#closeOther(socket);
        if (client.destroyed && (server?.destroyed ?? true)) onClosed();
      });
    }
  }

  /** Passes a reset on to the other side. @param {import('node:net').Socket} socket */
  #closeOther(socket) {
    for (const lane of this.lanes) lane.stop();
    if (this.silent) return;
    (socket === this.client ? this.server : this.client)?.resetAndDestroy();
  }

  pump() {
    for (const lane of this.lanes) lane.pump();
  }

  reset() {
    this.silent = true;
    for (const lane of this.lanes) lane.stop();
    this.client.resetAndDestroy();
    this.server?.resetAndDestroy();
  }

  /** Ends the side of the target without a sign to the client. */
  forget() {
    this.silent = true;
    for (const lane of this.lanes) lane.stop();
    this.client.removeAllListeners('data').removeAllListeners('end').resume();
    this.server?.resetAndDestroy();
  }
}

export class FaultProxy {
  /** @type {Set<Connection>} */
  #connections = new Set();
  /** @type {Record<Direction, Rule>} */
  #rules = { up: {}, down: {} };
  #partitioned = false;
  #server = createServer({ allowHalfOpen: true }, (client) => this.#accept(client));
  port = 0;

  /** @param {Target} target */
  constructor(target) {
    this.target = target;
  }

  /**
   * @param {number | Target} target a port of this machine, or a function that picks one for each connection
   * @param {number} [port] to listen on; default: a free one
   */
  static async listen(target, port = 0) {
    const proxy = new FaultProxy(typeof target === 'number' ? () => target : target);
    await proxy.#listen(port);
    return proxy;
  }

  /** How many connections are open. */
  get connections() {
    return this.#connections.size;
  }

  /** Holds all bytes back until `heal`. @param {readonly Direction[]} [directions] */
  hold(directions = ['up', 'down']) {
    for (const direction of directions) this.#rules[direction] = { held: true };
  }

  /** Adds latency, limits the bandwidth, or both. @param {Slowness} slowness @param {readonly Direction[]} [directions] */
  slow(slowness, directions = ['up', 'down']) {
    for (const direction of directions) this.#rules[direction] = slowness;
  }

  /** Resets open connections; new ones work. */
  cut() {
    for (const connection of this.#connections) connection.reset();
  }

  /** Resets open connections and refuses new ones. */
  async refuse() {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  /** Accepts connections and drops every byte; `heal` resets them all. */
  partition() {
    this.#partitioned = true;
    this.halfOpen();
  }

  /** Loses the target's ends of open connections without a sign, as when a machine is lost; new connections work. */
  halfOpen() {
    for (const connection of this.#connections) connection.forget();
  }

  /** Forwards again. */
  async heal() {
    this.#rules = { up: {}, down: {} };
    if (this.#partitioned) this.cut();
    this.#partitioned = false;
    if (!this.#server.listening) await this.#listen(this.port);
    for (const connection of this.#connections) connection.pump();
  }

  async close() {
    await this.refuse();
  }

  /** @param {number} port */
  async #listen(port) {
    this.#server.listen(port, HOST);
    await once(this.#server, 'listening');
    this.port = /** @type {import('node:net').AddressInfo} */ (this.#server.address()).port;
  }

  /** @param {import('node:net').Socket} client */
  #accept(client) {
    const port = this.#partitioned ? undefined : this.target();
    if (port === undefined && !this.#partitioned) {
      client.on('error', () => {}).resetAndDestroy();
      return;
    }
    const server = port === undefined ? undefined : connect({ port, host: HOST, allowHalfOpen: true });
    const connection = new Connection(
      client,
      server,
      (direction) => this.#rules[direction],
      () => this.#connections.delete(connection),
    );
    this.#connections.add(connection);
  }
}
