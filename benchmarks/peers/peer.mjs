/**
 * A peer in a process of its own (`child.mjs`), as a Node user would run it: loaded once, warmed, then asked for whole
 * passes over the same encoded images that the service gets.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));
/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * @typedef {object} PeerOptions
 * @property {'human' | 'face-api' | 'nsfwjs'} name
 * @property {object} [options] of the peer
 * @property {readonly { name: string, bytes: Buffer }[]} images
 */

/** @typedef {{ images: number, seconds: number, rssMiB: number }} Passes */

export class Peer {
  /** @param {import('node:child_process').ChildProcess} child @param {string} folder */
  constructor(child, folder) {
    this.child = child;
    this.folder = folder;
  }

  /**
   * Loads the peer and lets it see every image once.
   * @param {PeerOptions} options
   */
  static async start({ name, options = {}, images }) {
    const folder = mkdtempSync(join(tmpdir(), 'presenza-bench-'));
    const files = images.map(({ bytes }, i) => {
      const file = join(folder, String(i));
      writeFileSync(file, bytes);
      return file;
    });
    // Peers greet on stdout; only their errors are of interest.
    const child = fork(CHILD, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    running.add(child);
    child.once('exit', () => running.delete(child));
    const peer = new Peer(child, folder);
    try {
      await peer.#ask({ kind: 'load', name, options, files });
      return peer;
    } catch (error) {
      await peer.stop();
      throw error;
    }
  }

  /** Whole passes over the images until `seconds` have passed. @param {number} seconds @returns {Promise<Passes>} */
  run(seconds) {
    return this.#ask({ kind: 'run', seconds });
  }

  /** What the peer answers, image by image. @returns {Promise<unknown[]>} */
  answers() {
    return this.#ask({ kind: 'answers' });
  }

  async stop() {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** @param {object} message @returns {Promise<any>} */
  #ask(message) {
    return new Promise((resolve, reject) => {
      const settle = (/** @type {any} */ reply) => {
        this.child.off('exit', ended);
        if ('error' in reply) reject(new Error(reply.error));
        else resolve(reply.value);
      };
      const ended = (/** @type {number | null} */ code) => {
        this.child.off('message', settle);
        reject(new Error(`The peer ended with ${code}`));
      };
      this.child.once('message', settle);
      this.child.once('exit', ended);
      this.child.send(message);
    });
  }
}

/**
 * @template T
 * @param {PeerOptions} options
 * @param {(peer: Peer) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withPeer(options, use) {
  const peer = await Peer.start(options);
  try {
    return await use(peer);
  } finally {
    await peer.stop();
  }
}
