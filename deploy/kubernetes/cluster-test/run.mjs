// One run of the test: an installation, and scenarios on it one after the other.

import { ledgersOf, settledBills } from './installation/bills.mjs';
import { Installation } from './installation/installation.mjs';
import { Operator } from './installation/operator.mjs';
import { Load, learn, loadObjects } from './load/load.mjs';
import { judge, rowOf, skippedRow } from './report/verdict.mjs';
import { Skip } from './scenarios/scenario.mjs';

/**
 * @typedef {import('./scenarios/scenario.mjs').Scenario} Scenario
 * @typedef {import('./scenarios/scenario.mjs').World} World
 * @typedef {import('./report/verdict.mjs').Row} Row
 */

/** One account has to wait while Redis is gone; the other one has overage, and is served. */
const PLANS = Object.freeze({ 'hard limit': 'free', 'with overage': 'business' });
/** A run of a scenario, without its load and its bill. */
const SCENARIO_MS = 600_000;
/** Responses before and after what a scenario does. */
const STEADY = 8;

export class Run {
  /** @type {Row[]} */
  rows = [];
  /** Connections between pods, of the scenario `network`. @type {readonly object[]} */
  pairs = [];
  /** @type {Installation} */
  #installation;
  /** @type {Operator} */
  #operator;
  /** @type {Record<string, import('./installation/operator.mjs').Account>} */
  #accounts = {};
  #learner = { accountId: '', apiKey: '' };
  /** @type {import('./load/pod.mjs').Known | undefined} */
  #known;
  /** The loads of the scenario that plays. @type {Load[]} */
  #loads = [];
  #number = 0;

  /**
   * @param {object} run
   * @param {import('../../../gateway/harness/kubectl.mjs').Kubectl} run.kubectl
   * @param {import('./installation/options.mjs').Options} run.options
   * @param {AbortSignal} run.abort
   * @param {readonly string[]} run.images data URIs
   * @param {(line: string) => void} run.print
   */
  constructor({ kubectl, options, abort, images, print }) {
    this.kubectl = kubectl;
    this.options = options;
    this.abort = abort;
    this.images = images;
    this.print = print;
    this.#installation = new Installation(kubectl, options);
    this.#operator = new Operator(kubectl, options.namespace);
  }

  get #where() {
    return { kubectl: this.kubectl, namespace: this.#installation.outside.ingress, abort: this.abort };
  }

  get #place() {
    const host = (/** @type {string} */ service) => `${service}.${this.#installation.namespace}`;
    return { api: [`http://${host('gateway')}:8080`], site: `http://${host('web')}:8000/verify/` };
  }

  /** Installs everything and waits for the first response. An error becomes a failed row, too. */
  async install() {
    const begin = performance.now();
    try {
      await this.#installation.createNamespaces();
      await this.#begin('first-request');
    } catch (error) {
      this.#add(rowOf('first-request', { seconds: secondsSince(begin), faults: [textOf(error)], notes: [] }));
      throw error;
    }
  }

  /** @param {string} name of the row */
  async #begin(name) {
    const installation = this.#installation;
    await installation.createSecrets();
    await this.kubectl.apply(loadObjects(installation.outside.ingress, installation.images().gateway));
    const begin = performance.now();
    await installation.apply();
    await installation.rolledOut('gateway');
    for (const [kind, plan] of Object.entries(PLANS)) {
      this.#accounts[kind] = await this.#operator.createAccount(plan);
    }
    const args = ['--namespace', installation.outside.ingress, 'wait', '--for=condition=Ready', 'pod/load'];
    await this.kubectl.run([...args, '--timeout=100s']);
    this.#learner = await this.#operator.createAccount('business');
    const { learned, firstAt } = await learn(this.#where, {
      ...this.#place,
      apiKey: this.#learner.apiKey,
      images: this.images,
    });
    this.#known ??= learned;
    const seconds = (firstAt - begin) / 1e3;
    await installation.healthy();
    this.#add(
      rowOf(name, { seconds, faults: [], notes: [`the first response after ${seconds.toFixed(0)} s`] }),
    );
  }

  /** @param {Installation} installation */
  async #replace(installation) {
    await this.#installation.delete();
    this.#installation = installation;
    this.#operator = new Operator(this.kubectl, installation.namespace);
    await installation.createNamespaces();
    await this.#begin('first-request-again');
  }

  /**
   * Plays a scenario and adds its row. An error outside the scenario becomes a failed row, too.
   * @param {Scenario} scenario
   * @throws Error where the installation cannot be repaired
   */
  async play(scenario) {
    const begin = performance.now();
    /** @type {string[]} */
    const faults = [];
    try {
      await this.#play(scenario, faults);
    } catch (error) {
      faults.push(textOf(error));
      this.#add(rowOf(scenario.name, { seconds: secondsSince(begin), faults, notes: [] }));
      this.abort.throwIfAborted();
      await this.#repair();
    } finally {
      for (const load of this.#loads.splice(0)) load.abandon();
    }
  }

  /** @param {Scenario} scenario @param {string[]} faults takes what is not good enough */
  async #play(scenario, faults) {
    const { name, reasonToSkip, withoutLoad = false, withoutRetry = false } = scenario;
    /** @type {string[]} */
    const notes = [];
    /** @type {{ before: import('./installation/bills.mjs').Units, result: import('./load/pod.mjs').Result } | undefined} */
    let counted;
    /** @type {World} */
    const world = {
      installation: this.#installation,
      operator: this.#operator,
      options: this.options,
      accounts: this.#accounts,
      learner: this.#learner,
      load: undefined,
      startLoad: (api) => this.#startLoad(scenario, api),
      count: (before, result) => {
        counted = { before, result };
      },
      check: (holds, fault) => {
        if (!holds) faults.push(fault);
      },
      note: (sentence) => notes.push(sentence),
      report: (pairs) => {
        this.pairs = pairs;
      },
      replace: (installation) => this.#replace(installation),
    };
    const reason = await reasonToSkip?.(world);
    if (reason !== undefined) {
      this.#skip(name, reason);
      return;
    }
    await world.installation.healthy();
    const before = await ledgersOf(world);
    const begin = performance.now();
    if (!withoutLoad) {
      world.load = this.#startLoad(scenario);
      await world.load.responses(STEADY);
    }
    const skipped = await this.#guard(() => scenario.run(world), faults);
    const seconds = secondsSince(begin);
    const { load } = world;
    if (load) {
      await this.#guard(() => load.responses(STEADY), faults);
      world.count(before, await load.stop());
    }
    const billed = counted && (await settledBills(world, counted.before, counted.result));
    if (skipped) this.#skip(name, skipped.message);
    else if (counted && billed) {
      this.#add(judge(name, { result: counted.result, billed, seconds, withoutRetry, faults, notes }));
    } else this.#add(rowOf(name, { seconds, faults, notes }));
  }

  /** @param {Scenario} scenario @param {readonly string[]} [api] addresses of gateways, if not that of the Service */
  #startLoad({ load: times = 1, otherSite = false }, api) {
    const known = this.#known;
    if (!known) throw new Error('The right results are not known yet.');
    this.#number += 1;
    const load = new Load(this.#where, {
      ...this.#place,
      ...known,
      ...(api && { api }),
      ...(otherSite && { page: undefined }),
      name: `cluster-test-${this.#number}`,
      apiKeys: Object.fromEntries(Object.entries(this.#accounts).map(([kind, { apiKey }]) => [kind, apiKey])),
      images: this.images,
      perSecond: times * this.options.perSecond,
      seed: this.#number,
    });
    this.#loads.push(load);
    return load;
  }

  /**
   * Turns an error into a fault, with what an operator would look at, so that the other scenarios still run.
   * @param {() => Promise<void>} act
   * @param {string[]} faults
   * @returns {Promise<Skip | undefined>} why it cannot run here
   */
  async #guard(act, faults) {
    try {
      await this.kubectl.within(SCENARIO_MS, act);
    } catch (error) {
      this.abort.throwIfAborted();
      if (error instanceof Skip) return error;
      faults.push(textOf(error));
      this.print(await this.#installation.describe());
      await this.#repair();
    }
    return undefined;
  }

  /** Returns to the manifests, so that the next scenario begins with a healthy service. */
  async #repair() {
    // A scenario may have replaced the installation.
    const installation = this.#installation;
    await installation.apply();
    await installation.healthy();
  }

  /** @param {string} name @param {string} reason */
  #skip(name, reason) {
    const faults = [`it is required, and was skipped: ${reason}`];
    const isRequired = this.options.require.includes(name);
    this.#add(isRequired ? rowOf(name, { seconds: 0, faults, notes: [] }) : skippedRow(name, reason));
  }

  /** @param {Row} row */
  #add(row) {
    this.rows.push(row);
    const { scenario, outcome, seconds, faults, notes } = row;
    this.print([`${scenario}: ${outcome} after ${seconds.toFixed(0)} s`, ...faults, ...notes].join('; '));
  }

  async delete() {
    await this.#installation.delete();
  }
}

/** @param {number} begin */
const secondsSince = (begin) => (performance.now() - begin) / 1e3;

/** @param {unknown} error */
const textOf = (error) => (error instanceof Error ? error.message : String(error));
