/**
 * A TCP proxy that goes wrong on request. It stands between two parts of the service and forwards bytes until it is told
 * to hold, slow, cut, refuse, partition or half-open them; `heal` makes it forward again. It knows nothing of what the
 * bytes say, and holds few of them: what it cannot pass on stays with its sender, as on a real network.
 */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** `up`: from who connects to the target. `down`: back. */
/** @typedef {'up' | 'down'} Direction */
/** @typedef {{ latencyMs?: number, bytesPerSecond?: number }} Slowness */
/** Of one direction. */
/** @typedef {Slowness & { held?: boolean }} Rule */
/** Port of the target on this machine; undefined: nobody is there, the connection is reset. */
/** @typedef {() => number | undefined} Target */

/** Beyond it a direction is not read any more: as much as the buffer of a socket holds. */
const MAX_HELD_BYTES = 64 * 1024;
/** Slowed bytes go on in pieces, so that a narrow line does not come in bursts. */
const PIECE_BYTES = 4 * 1024;

/** One direction of one connection. */
class Lane {
  /**
   * @param {import('node:net').Socket} from
   * @param {import('node:net').Socket} to
   * @param {() => Rule} rule as it is now
   */
  constructor(from, to, rule) {
    this.from = from;
    this.to = to;
    this.rule = rule;
    /** @type {{ bytes: Buffer | undefined, due: number }[]} without bytes: the end of the direction */
    this.waiting = [];
    this.heldBytes = 0;
    /** When the line is free again, of a narrow one. */
    this.freeAt = 0;
    /** @type {NodeJS.Timeout | undefined} */
    this.timer = undefined;
    from.on('data', (bytes) => this.take(bytes)).on('end', () => this.take(undefined));
    to.on('drain', () => this.pump());
  }

  /** @param {Buffer | undefined} bytes */
  take(bytes) {
    const due = performance.now() + (this.rule().latencyMs ?? 0);
    for (let at = 0; bytes && at < bytes.length; at += PIECE_BYTES)
      this.waiting.push({ bytes: bytes.subarray(at, at + PIECE_BYTES), due });
    if (!bytes) this.waiting.push({ bytes, due });
    this.heldBytes += bytes?.length ?? 0;
    if (this.heldBytes >= MAX_HELD_BYTES) this.from.pause();

    this.pump();
  }

  /** Passes on what is due. */
  pump() {
    clearTimeout(this.timer);
    for (let [next] = this.waiting; next; [next] = this.waiting) {
      const { held, bytesPerSecond } = this.rule();
      if (held || this.to.writableNeedDrain) return;
      const now = performance.now();
      const waitMs = Math.max(next.due, bytesPerSecond ? this.freeAt : 0) - now;
      if (waitMs > 0) {
        this.timer = setTimeout(() => this.pump(), waitMs);
        return;
      }
      this.waiting.shift();
      if (!next.bytes) {
        this.to.end();
        return;
      }
      this.heldBytes -= next.bytes.length;
      if (bytesPerSecond) this.freeAt = now + (1e3 * next.bytes.length) / bytesPerSecond;
      this.to.write(next.bytes);
    }
    if (this.from.isPaused()) this.from.resume();
  }

  stop() {
    clearTimeout(this.timer);
    this.waiting = [];
  }
}

/** A connection through the proxy. */
class Pair {
  /**
   * @param {import('node:net').Socket} client
   * @param {import('node:net').Socket | undefined} server none where the network swallows all
   * @param {(direction: Direction) => Rule} rule
   * @param {() => void} onGone
   */
  constructor(client, server, rule, onGone) {
    this.client = client;
    this.server = server;
    /** Whether it is one that neither side hears of any more. */
    this.silent = server === undefined;
    this.lanes = server
      ? [new Lane(client, server, () => rule('up')), new Lane(server, client, () => rule('down'))]
      : [];
    if (!server) client.resume();
    for (const socket of [client, server]) {
      socket?.setNoDelay(true);
      socket?.on('error', () => {});
      socket?.on('close', (failed) => {
        if (failed) this.closeOther(socket);
        if (client.destroyed && (server?.destroyed ?? true)) onGone();
      });
    }
  }

  /** A reset goes on to the other side, unless nothing gets through. @param {import('node:net').Socket} socket */
  closeOther(socket) {
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

  /** The far end is gone, and nobody tells the near one. */
  forget() {
    this.silent = true;
    for (const lane of this.lanes) lane.stop();
    this.client.removeAllListeners('data').removeAllListeners('end').resume();
    this.server?.resetAndDestroy();
  }
}

export class FaultProxy {
  /** @type {Set<Pair>} */
  #pairs = new Set();
  /** @type {Record<Direction, Rule>} */
  #rules = { up: {}, down: {} };
  #swallows = false;
  #server = createServer({ allowHalfOpen: true }, (client) => this.#accept(client));
  port = 0;

  /** @param {Target} target */
  constructor(target) {
    this.target = target;
  }

  /**
   * @param {number | Target} target a port of this machine, or what picks one for each connection
   * @param {number} [port] to listen on; default: a free one
   */
  static async listen(target, port = 0) {
    const proxy = new FaultProxy(typeof target === 'number' ? () => target : target);
    await proxy.#listen(port);
    return proxy;
  }

  /** Connections that are open now. */
  get connections() {
    return this.#pairs.size;
  }

  /** Bytes stay where they are until `heal`. @param {readonly Direction[]} [directions] */
  hold(directions = ['up', 'down']) {
    for (const direction of directions) this.#rules[direction] = { held: true };
  }

  /** Bytes come later, and no faster than the line allows. @param {Slowness} slowness @param {readonly Direction[]} [directions] */
  slow(slowness, directions = ['up', 'down']) {
    for (const direction of directions) this.#rules[direction] = slowness;
  }

  /** Resets what is open; new connections are as before. */
  cut() {
    for (const pair of this.#pairs) pair.reset();
  }

  /** Resets what is open, and nobody listens. */
  async refuse() {
    if (this.#server.listening) {
      const closed = once(this.#server, 'close');
      this.#server.close();
      this.cut();
      await closed;
    }
  }

  /** Not a byte gets through on old connections or new ones, which are accepted; `heal` resets them all. */
  partition() {
    this.#swallows = true;
    for (const pair of this.#pairs) pair.forget();
  }

  /** The far ends of what is open are gone without a word, as after the loss of a machine; new connections work. */
  halfOpen() {
    for (const pair of this.#pairs) pair.forget();
  }

  /** Forwards again. */
  async heal() {
    this.#rules = { up: {}, down: {} };
    if (this.#swallows) this.cut();
    this.#swallows = false;
    if (!this.#server.listening) await this.#listen(this.port);
    for (const pair of this.#pairs) pair.pump();
  }

  async close() {
    await this.refuse();
  }

  /** @param {number} port */
  async #listen(port) {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = /** @type {import('node:net').AddressInfo} */ (this.#server.address()).port;
  }

  /** @param {import('node:net').Socket} client */
  #accept(client) {
    const port = this.#swallows ? undefined : this.target();
    if (port === undefined && !this.#swallows) {
      client.on('error', () => {}).resetAndDestroy();
      return;
    }
    const server = port === undefined ? undefined : connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const pair = new Pair(
      client,
      server,
      (direction) => this.#rules[direction],
      () => this.#pairs.delete(pair),
    );
    this.#pairs.add(pair);
  }
}
