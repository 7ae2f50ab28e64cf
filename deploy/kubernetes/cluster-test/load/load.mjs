// Steers the load from outside, over `kubectl exec`.

import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { createInterface } from 'node:readline';
import { reap } from '../../../../gateway/harness/reaper.mjs';
import { waitUntil } from '../../../../gateway/harness/wait.mjs';
import { idle, podOf } from '../installation/pods.mjs';
import { bundleOf, ENTRY } from './bundle.mjs';

/**
 * @typedef {import('../../../../gateway/harness/kubectl.mjs').Kubectl} Kubectl
 * @typedef {import('./pod.mjs').Drive} Drive
 * @typedef {import('./pod.mjs').Known} Known
 * @typedef {import('./pod.mjs').Learn} Learn
 * @typedef {import('./pod.mjs').Result} Result
 * @typedef {{ kubectl: Kubectl, namespace: string, abort: AbortSignal }} Where
 */

const POD = 'load';
const FOLDER = '/load';
/** Longer than the program's patience with one request. */
const END_MS = 240_000;

/** The objects of the pod. @param {string} namespace @param {string} image of the gateway */
export function loadObjects(namespace, image) {
  const { configMap, volume } = bundleOf({ name: POD, namespace });
  const mounts = [{ volume, mountPath: FOLDER }];
  return [configMap, podOf({ name: POD, namespace, image, command: idle, mounts })];
}

/** One run of the program in the pod. */
class Session extends EventEmitter {
  completed = 0;
  failed = 0;
  /** @type {Known | undefined} */
  learned;
  /** @type {Result | undefined} */
  result;
  ended = false;
  #errors = '';

  /** @param {Where} where */
  constructor({ kubectl, namespace, abort }) {
    super();
    const args = ['--namespace', namespace, 'exec', '--stdin', POD, '--', 'node', `${FOLDER}/${ENTRY}`];
    const child = spawn('kubectl', kubectl.command(args), { detached: true });
    reap(child);
    /** Ends the program, which gives no result then. */
    this.end = () => {
      child.kill();
    };
    abort.addEventListener('abort', this.end, { once: true });
    this.stdin = child.stdin.on('error', () => {});
    const complain = (/** @type {string} */ text) => {
      this.#errors = (this.#errors + text).slice(-2_000);
    };
    createInterface({ input: child.stdout }).on('line', (line) => {
      try {
        this.#take(JSON.parse(line));
      } catch {
        complain(`unexpected output: ${line.slice(0, 200)}\n`); // a line that was cut off
      }
    });
    child.stderr.setEncoding('utf8').on('data', complain);
    const note = () => {
      abort.removeEventListener('abort', this.end);
      this.ended = true;
      this.emit('change');
    };
    child.once('close', note).once('error', note);
  }

  /** @param {{ completed?: boolean, learned?: Known, result?: Result }} message */
  #take({ completed, learned, result }) {
    if (completed === true) this.completed += 1;
    if (completed === false) this.failed += 1;
    this.learned ??= learned;
    this.result ??= result;
    this.emit('change');
  }

  /** @param {object} message */
  say(message) {
    this.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /**
   * @template T
   * @param {string} what
   * @param {() => T} probe
   * @param {number} timeoutMs
   * @returns {Promise<NonNullable<Awaited<T>>>}
   */
  async until(what, probe, timeoutMs) {
    await waitUntil(what, () => probe() || this.ended, {
      timeoutMs,
      intervalMs: timeoutMs,
      wakeOn: [this, 'change'],
    });
    const result = probe();
    if (!result) throw new Error(`The load ended early. ${this.#errors}`);
    return /** @type {NonNullable<Awaited<T>>} */ (result);
  }
}

/** The right results of all requests. @param {Where} where @param {Learn} settings */
export async function learn(where, settings) {
  const session = new Session(where);
  session.say({ learn: settings });
  await session.until('the service gives its first result', () => session.completed, END_MS);
  const firstAt = performance.now();
  const learned = await session.until(
    'the service gave a result to every request',
    () => session.learned,
    END_MS,
  );
  return { learned, firstAt };
}

/** A running load. */
export class Load {
  #session;

  /** @param {Where} where @param {Drive} settings */
  constructor(where, settings) {
    this.#session = new Session(where);
    this.#session.say({ drive: settings });
  }

  /** Waits for so many more responses. @param {number} count @param {number} [timeoutMs] */
  async responses(count, timeoutMs = END_MS) {
    const enough = this.#session.completed + count;
    await this.#session.until(
      `${count} more requests are completed`,
      () => this.#session.completed >= enough,
      timeoutMs,
    );
  }

  /** @returns {Promise<Result>} */
  stop() {
    this.#session.say({ stop: true });
    return this.#session.until('every request has its result', () => this.#session.result, END_MS);
  }

  /** Ends the load without its result, which does nothing after `stop`. */
  abandon() {
    this.#session.end();
  }
}
