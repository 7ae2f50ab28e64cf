// Runs kubectl, each call with a time limit.

import { runToEnd } from '../../../local/harness/process.mjs';

/** @typedef {{ input?: string, timeoutMs?: number, onLine?: (line: string) => void }} CallOptions */

const TIMEOUT_MS = 120_000;

export class Kubectl {
  #context;
  #abort;

  /** @param {string | undefined} context @param {AbortSignal} [abort] ends all calls */
  constructor(context, abort) {
    this.#context = context;
    this.#abort = abort;
  }

  /** The same cluster, also after an interruption. */
  get uninterrupted() {
    return new Kubectl(this.#context);
  }

  /** @param {readonly string[]} args */
  command(args) {
    return this.#context === undefined ? [...args] : ['--context', this.#context, ...args];
  }

  /**
   * @param {readonly string[]} args
   * @param {CallOptions} [options]
   * @returns {Promise<{ code: number | null, stdout: string, stderr: string }>}
   */
  async attempt(args, { timeoutMs = TIMEOUT_MS, ...options } = {}) {
    this.#abort?.throwIfAborted();
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = this.#abort ? AbortSignal.any([this.#abort, limit]) : limit;
    const ended = await runToEnd('kubectl', this.command(args), {
      ...options,
      onStart: (running) => signal.addEventListener('abort', () => running.signalGroup('SIGKILL')),
    });
    this.#abort?.throwIfAborted();
    if (limit.aborted && ended.code !== 0) {
      throw new Error(`kubectl ${args.join(' ')} took longer than ${timeoutMs / 1e3} s.`);
    }
    return ended;
  }

  /** @param {readonly string[]} args @param {CallOptions} [options] @returns {Promise<string>} stdout */
  async run(args, options) {
    const { code, stdout, stderr } = await this.attempt(args, options);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ').slice(0, 300)} failed: ${stderr.trim()}`);
    return stdout;
  }

  /** @param {readonly string[]} args @returns {Promise<any>} */
  async json(args) {
    return JSON.parse(await this.run([...args, '--output', 'json']));
  }

  /** @param {readonly object[]} objects */
  apply(objects) {
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
    return this.run(['apply', '--filename', '-'], { input });
  }

  /** Whether the API server serves a group. @param {string} group */
  async serves(group) {
    const { groups } = JSON.parse(await this.run(['get', '--raw', '/apis']));
    return groups.some((/** @type {{ name: string }} */ { name }) => name === group);
  }
}
