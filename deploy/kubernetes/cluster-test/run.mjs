// One run of the test: an installation, and scenarios on it one after the other.

import { setTimeout as delay } from 'node:timers/promises';
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
  #number = 0;

  /**
   * @param {object} run
   * @param {import('./installation/kubectl.mjs').Kubectl} run.kubectl
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
    return { api: `http://${host('gateway')}:8080`, site: `http://${host('web')}:8000/verify/` };
  }

  /** From nothing to the first response. */
  async install() {
    await this.#installation.createNamespaces();
    await this.#begin('first-request');
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

  /** @param {Scenario} scenario */
  async play(scenario) {
    const { name, reasonToSkip, withoutLoad = false, withoutRetry = false } = scenario;
    /** @type {string[]} */
    const faults = [];
    /** @type {string[]} */
    const notes = [];
    /** @type {World} */
    const world = {
      installation: this.#installation,
      operator: this.#operator,
      options: this.options,
      accounts: this.#accounts,
      learner: this.#learner,
      load: undefined,
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
      this.#add(skippedRow(name, reason));
      return;
    }
    await world.installation.healthy();
    const before = await this.#bill();
    const begin = performance.now();
    if (withoutLoad) {
      try {
        await this.#guard(() => scenario.run(world), faults);
      } catch (error) {
        if (!(error instanceof Skip)) throw error;
        this.#add(skippedRow(name, error.message));
        return;
      }
      this.#add(rowOf(name, { seconds: (performance.now() - begin) / 1e3, faults, notes }));
      return;
    }
    const load = this.#startLoad(scenario);
    world.load = load;
    await load.responses(STEADY);
    load.mark('begin');
    await this.#guard(() => scenario.run(world), faults);
    load.mark('end');
    const seconds = (performance.now() - begin) / 1e3;
    await this.#guard(() => load.responses(STEADY), faults);
    const result = await load.stop();
    const billed = await this.#settledBill(before, result);
    this.#add(judge(name, { result, billed, seconds, withoutRetry, faults, notes }));
  }

  /** @param {Scenario} scenario */
  #startLoad({ load: times = 1, otherSite = false }) {
    const known = this.#known;
    if (!known) throw new Error('The right results are not known yet.');
    this.#number += 1;
    return new Load(this.#where, {
      ...this.#place,
      ...known,
      ...(otherSite && { page: undefined }),
      name: `cluster-test-${this.#number}`,
      apiKeys: Object.fromEntries(Object.entries(this.#accounts).map(([kind, { apiKey }]) => [kind, apiKey])),
      images: this.images,
      perSecond: times * this.options.perSecond,
      seed: this.#number,
    });
  }

  /** Turns an error into a fault, with what an operator would look at, so that the other scenarios still run. */
  async #guard(/** @type {() => Promise<void>} */ act, /** @type {string[]} */ faults) {
    const late = new AbortController();
    const limit = delay(SCENARIO_MS, undefined, { signal: late.signal }).then(() => {
      throw new Error(`It took longer than ${SCENARIO_MS / 60e3} minutes.`);
    });
    try {
      await Promise.race([act(), limit]);
    } catch (error) {
      this.abort.throwIfAborted();
      if (error instanceof Skip) throw error;
      faults.push(error instanceof Error ? error.message : String(error));
      // A scenario may have replaced the installation.
      this.print(await this.#installation.describe());
      await this.#repair(this.#installation);
    } finally {
      limit.catch(() => {});
      late.abort();
    }
  }

  /** Returns to the manifests, so that the next scenario begins with a healthy service. @param {Installation} installation */
  async #repair(installation) {
    await installation.apply();
    await installation.healthy();
  }

  /** Units in the ledger by account. @returns {Promise<Record<string, number>>} */
  async #bill() {
    /** @type {Record<string, number>} */
    const units = {};
    for (const [kind, { accountId }] of Object.entries(this.#accounts)) {
      units[kind] = (await this.#operator.verify(accountId)).ledger;
    }
    return units;
  }

  /** @param {Record<string, number>} before @param {import('./load/pod.mjs').Result} result */
  async #settledBill(before, { requests }) {
    let billed = 0;
    for (const [kind, { accountId }] of Object.entries(this.#accounts)) {
      const own = requests.filter(({ account }) => account === kind);
      const units = own.reduce((sum, request) => sum + request.units, 0);
      const base = Number(before[kind]);
      billed += (await this.#operator.settledBill(accountId, base + units)) - base;
    }
    return billed;
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
