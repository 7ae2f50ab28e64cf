// The running tiers: starts each one, prefixes its log lines with its name, reports when it ends by itself, and stops
// them one after the other.

import { ROOT } from '../../../gateway/harness/cli/paths.mjs';
import { Stop } from '../../../gateway/harness/cli/stop.mjs';
import { describeExit, RunningProcess } from '../../../gateway/harness/process.mjs';

/** Longer than the drain of any tier; the gateway's is set to fit. */
export const GRACE_MS = 15_000;

/**
 * @typedef {object} TierCommand
 * @property {string} command
 * @property {readonly string[]} args
 * @property {Readonly<NodeJS.ProcessEnv>} [env] added to this process's environment
 * @property {string} [input] written to its stdin
 * @property {(line: string) => void} [onLine] called with every line that the tier prints
 * @property {(signal: NodeJS.Signals | null) => boolean} [onDeath] called when the tier ends by itself, with the signal
 *   that ended it; returns true if the other tiers keep running
 */

export class Tiers {
  /** @type {RunningProcess[]} */
  #running = [];
  #stopping = false;
  #writeLine;
  /** @type {(reason: Stop) => void} */
  #reportDeath = () => {};

  /** Rejects with a Stop when a tier ends by itself. @type {Promise<never>} */
  death = new Promise((_, reject) => {
    this.#reportDeath = reject;
  });

  /** @param {(tier: string, line: string) => void} writeLine called with every line that a tier prints */
  constructor(writeLine) {
    this.#writeLine = writeLine;
    this.death.catch(() => {}); // not every caller awaits it
  }

  /**
   * @param {string} name
   * @param {TierCommand} tier
   * @returns {number} its pid
   */
  start(name, { command, args, env = {}, input, onLine, onDeath }) {
    if (this.#stopping) throw new Error(`${name} is not started, since everything is being stopped.`);
    // In a separate process group, Ctrl-C of the terminal does not reach the tier, so the tiers can stop in order.
    const tier = new RunningProcess(command, args, {
      name,
      cwd: ROOT,
      env,
      ...(input !== undefined && { input }),
      onLine: (line) => {
        this.#writeLine(name, line);
        onLine?.(line);
      },
    });
    if (tier.child.pid === undefined) {
      throw new Stop(`${name} could not be started: ${command} cannot be run.`);
    }
    this.#running.push(tier);
    tier.ended.then((exit) => {
      this.#running = this.#running.filter((other) => other !== tier);
      if (this.#stopping || onDeath?.(exit.signal)) return;
      this.#reportDeath(
        new Stop(`${name} ended unexpectedly (${describeExit(exit)}); its last lines are above.`),
      );
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
      await tier?.stop({
        timeoutMs: graceMs,
        onTimeout: () => this.#writeLine(name, `did not stop within ${graceMs / 1000} s and is killed`),
      });
    }
  }

  /** Kills all tiers at once, without a drain. */
  kill() {
    this.#stopping = true;
    for (const tier of this.#running) tier.signalGroup('SIGKILL');
  }
}
