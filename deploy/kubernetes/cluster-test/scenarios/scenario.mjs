// Types of scenarios, and of what they work with.

import { REPLICAS } from '../installation/overlay.mjs';

/**
 * @typedef {import('../installation/installation.mjs').Installation} Installation
 * @typedef {import('../installation/installation.mjs').Tier} Tier
 * @typedef {import('../installation/bills.mjs').Units} Units
 *
 * @typedef {object} World
 * @property {Installation} installation
 * @property {import('../installation/operator.mjs').Operator} operator
 * @property {import('../installation/options.mjs').Options} options
 * @property {Record<string, import('../installation/operator.mjs').Account>} accounts
 * @property {import('../installation/operator.mjs').Account} learner the account of the first requests
 * @property {import('../load/load.mjs').Load | undefined} load undefined in scenarios without load
 * @property {(api?: readonly string[]) => import('../load/load.mjs').Load} startLoad for a scenario that begins without
 *   load; api: addresses of gateways, if not that of the Service
 * @property {(before: Units, result: import('../load/pod.mjs').Result) => void} count a load that the scenario started,
 *   which is billed in addition to what the ledgers contained before
 * @property {(holds: boolean, fault: string) => void} check
 * @property {(sentence: string) => void} note
 * @property {(pairs: readonly object[]) => void} report connections between pods, for the result
 * @property {(installation: Installation) => Promise<void>} replace the installation by a new one
 *
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} about what happens, for `--list`
 * @property {boolean} [withoutLoad] the scenario begins without load
 * @property {number} [load] times the usual rate of requests
 * @property {boolean} [otherSite] the site may serve the page of another release
 * @property {boolean} [withoutRetry] whether no request may fail, so that no client would have to retry, except
 *   while the service is at capacity
 * @property {(world: World) => Promise<string | undefined>} [reasonToSkip]
 * @property {(world: World) => Promise<void>} run
 */

/** The load of a scenario. @param {World} world */
export function loadOf({ load }) {
  if (!load) throw new Error('This scenario has no load.');
  return load;
}

/** How many pods a tier has in normal operation. @param {Tier} tier */
export const replicasOf = (tier) => (tier.startsWith('redis') ? 1 : REPLICAS);

/** Thrown where a scenario finds while it runs that it cannot do so on this cluster. The message says why. */
export class Skip extends Error {}
