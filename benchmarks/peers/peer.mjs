/**
 * A peer in a process of its own (`child.mjs`), as a Node user would run it: loaded once, warmed up, then run for whole
 * passes over the same encoded images that the service gets.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeFolder, temporaryFolder } from '../../gateway/harness/index.mjs';

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));

/**
 * @typedef {object} PeerOptions
 * @property {'human' | 'face-api' | 'nsfwjs'} name
 * @property {object} [options] of the peer
 * @property {readonly { name: string, bytes: Buffer }[]} images
 */

export class Peer {
  #folder = temporaryFolder();
  // Peers greet on stdout; only their errors matter. A peer ends with the IPC channel to this process.
  #child = fork(CHILD, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });

  /** Loads the peer and runs it once over every image. @param {PeerOptions} options */
  static async start({ name, options = {}, images }) {
    const peer = new Peer();
    const files = images.map(({ bytes }, i) => {
      const file = join(peer.#folder, String(i));
      writeFileSync(file, bytes);
      return file;
    });
    try {
      await peer.#request({ kind: 'load', name, options, files });
      return peer;
    } catch (error) {
      await peer.stop();
      throw error;
    }
  }

  /** Whole passes over the images until `seconds` have passed. @returns {Promise<{ images: number, seconds: number }>} */
  run(seconds) {
    return this.#request({ kind: 'run', seconds });
  }

  /** Results of the peer, image by image. @returns {Promise<any[]>} */
  results() {
    return this.#request({ kind: 'results' });
  }

  async stop() {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, 'exit');
      this.#child.kill('SIGKILL');
      await ended;
    }
    removeFolder(this.#folder);
  }

  /** @param {object} message @returns {Promise<any>} */
  async #request(message) {
    const aborter = new AbortController();
    const { signal } = aborter;
    const replied = once(this.#child, 'message', { signal }).then(([reply]) => reply);
    const ended = once(this.#child, 'exit', { signal }).then(([code]) => ({
      error: `The peer ended with ${code}`,
    }));
    for (const pending of [replied, ended]) pending.catch(() => {}); // aborted below
    this.#child.send(message);
    const reply = await Promise.race([replied, ended]);
    aborter.abort();
    if ('error' in reply) throw new Error(reply.error);
    return reply.value;
  }
}

/** @template T @param {PeerOptions} options @param {(peer: Peer) => Promise<T>} use @returns {Promise<T>} */
export async function withPeer(options, use) {
  const peer = await Peer.start(options);
  try {
    return await use(peer);
  } finally {
    await peer.stop();
  }
}
