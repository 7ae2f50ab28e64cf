// The running tiers: starts each as a child, passes its log on with its name in front, notices a death that
// nobody asked for, and stops them one after the other.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { ROOT } from './paths.mjs';
import { signalGroup } from './run.mjs';
import { Stop } from './stop.mjs';

/** Longer than any tier's own drain: the gateway's is set to fit. */
export const GRACE_MS = 15_000;

/**
 * @typedef {object} TierCommand
 * @property {string} command
 * @property {string[]} args
 * @property {Record<string, string>} [env] added to this process's environment
 * @property {string} [input] written to its stdin
 * @property {(signal: NodeJS.Signals | null) => boolean} [onDeath] called when it ended before it was asked to, with the
 *   signal that ended it: true when that is taken care of and everything else goes on
 */

/** @typedef {{ name: string, pid: number, child: import('node:child_process').ChildProcess }} Tier */

export class Tiers {
  /** @type {Tier[]} */
  #running = [];
  #stopping = false;
  #writeLine;
  /** @type {(reason: Stop) => void} */
  #reportDeath = () => {};

  /** Rejects with a Stop when a tier ends before it was asked to. @type {Promise<never>} */
  death = new Promise((_, reject) => {
    this.#reportDeath = reject;
  });

  /** @param {(tier: string, line: string) => void} writeLine takes every line that a tier prints */
  constructor(writeLine) {
    this.#writeLine = writeLine;
    this.death.catch(() => {}); // whoever awaits it hears of it; nobody has to
  }

  /**
   * @param {string} name
   * @param {TierCommand} tier
   * @returns {number} its pid
   */
  start(name, { command, args, env = {}, input = '', onDeath }) {
    if (this.#stopping) throw new Error(`${name} is not started any more: everything is being stopped.`);
    // A session of its own keeps the terminal's Ctrl-C away from it: the order of stopping is decided here.
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    if (child.pid === undefined) {
      child.once('error', () => {});
      throw new Stop(`${name} could not be started: ${command} cannot be run.`);
    }
    child.stdin.on('error', () => {}); // it may die before it reads; its death is reported below
    child.stdin.end(input);
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => this.#writeLine(name, line));
    }
    const tier = { name, pid: child.pid, child };
    this.#running.push(tier);
    child.once('exit', () => signalGroup(tier.pid, 'SIGKILL')); // what it may have left behind
    // 'close' rather than 'exit', so that its last lines are printed above the sentence.
    child.once('close', (code, signal) => {
      this.#running = this.#running.filter((other) => other !== tier);
      if (!this.#stopping && !onDeath?.(signal)) {
        const how = signal ?? `exit code ${code}`;
        this.#reportDeath(new Stop(`${name} ended unexpectedly (${how}); its last lines are above.`));
      }
    });
    return tier.pid;
  }

  /**
   * Stops the tiers one by one, each with SIGTERM and time to drain.
   * @param {readonly string[]} order
   */
  async stop(order, graceMs = GRACE_MS) {
    this.#stopping = true;
    for (const name of order) {
      const tier = this.#running.find((candidate) => candidate.name === name);
      if (tier) await this.#stopOne(tier, graceMs);
    }
  }

  /** @param {Tier} tier @param {number} graceMs */
  async #stopOne({ name, pid, child }, graceMs) {
    const closed = once(child, 'close');
    const timer = setTimeout(() => {
      this.#writeLine(name, `did not stop within ${graceMs / 1000} s and is killed`);
      signalGroup(pid, 'SIGKILL');
    }, graceMs);
    child.kill('SIGTERM');
    await closed;
    clearTimeout(timer);
  }

  /** Ends all of them at once, without a drain. */
  kill() {
    this.#stopping = true;
    for (const { pid } of this.#running) signalGroup(pid, 'SIGKILL');
  }
}
