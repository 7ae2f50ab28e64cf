// Runs kubectl, each call with a time limit.

import { runToEnd } from './process.mjs';

/** @typedef {{ input?: string, timeoutMs?: number, onLine?: (line: string) => void }} CallOptions */

const TIMEOUT_MS = 120_000;

export class Kubectl {
  #context;
  #abort;
  /** The time limit of `within`. @type {AbortSignal | undefined} */
  #limit;

  /** @param {string | undefined} context @param {AbortSignal} [abort] ends all calls */
  constructor(context, abort) {
    this.#context = context;
    this.#abort = abort;
  }

  /** The same cluster, also after an interruption and without a time limit. */
  get uninterrupted() {
    return new Kubectl(this.#context);
  }

  /** @param {readonly string[]} args */
  command(args) {
    return this.#context === undefined ? [...args] : ['--context', this.#context, ...args];
  }

  /**
   * Waits for `act`. When the time is up, its call ends and further ones are refused, so that it ends soon and changes
   * nothing later.
   * @param {number} ms
   * @param {() => Promise<void>} act
   * @throws Error if the time was up, or that of `act`
   */
  async within(ms, act) {
    const controller = new AbortController();
    const late = new Error(`It took longer than ${ms / 60e3} minutes.`);
    const timer = setTimeout(() => controller.abort(late), ms);
    this.#limit = controller.signal;
    try {
      await act();
      controller.signal.throwIfAborted();
    } finally {
      clearTimeout(timer);
      this.#limit = undefined;
    }
  }

  /**
   * @param {readonly string[]} args
   * @param {CallOptions} [options]
   * @returns {Promise<{ code: number | null, stdout: string, stderr: string }>}
   */
  async attempt(args, { timeoutMs = TIMEOUT_MS, ...options } = {}) {
    const ends = [this.#abort, this.#limit].filter((signal) => signal !== undefined);
    for (const end of ends) end.throwIfAborted();
    const late = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([...ends, late]);
    /** @type {import('./process.mjs').RunningProcess | undefined} */
    let running;
    const kill = () => running?.signalGroup('SIGKILL');
    signal.addEventListener('abort', kill);
    // Once the process has ended, its id may belong to a later process.
    const forget = () => signal.removeEventListener('abort', kill);
    const ended = await runToEnd('kubectl', this.command(args), {
      ...options,
      onStart: (started) => {
        running = started;
      },
    }).finally(forget);
    for (const end of ends) end.throwIfAborted();
    if (late.aborted && ended.code !== 0) {
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
