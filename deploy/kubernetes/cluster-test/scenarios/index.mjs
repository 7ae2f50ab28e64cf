// All scenarios, the most important ones first.

import { Stop } from '../../../local/cli/stop.mjs';
import { autoscalingScenarios } from './autoscaling.mjs';
import { clusterScenarios } from './cluster.mjs';
import { networkScenarios } from './network.mjs';
import { podScenarios } from './pods.mjs';
import { serviceScenarios } from './service.mjs';

/** @typedef {import('./scenario.mjs').Scenario} Scenario */

/** @type {readonly Scenario[]} */
export const scenarios = [
  ...podScenarios,
  ...serviceScenarios,
  ...networkScenarios,
  ...autoscalingScenarios,
  // The last ones replace the installation.
  ...clusterScenarios,
];

/** @param {readonly string[]} only names; none: all @throws {Stop} for a name that is not known */
export function chooseScenarios(only) {
  const unknown = only.find((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown !== undefined) throw new Stop(`There is no scenario ${unknown}. See --list.`);
  return only.length === 0 ? scenarios : scenarios.filter(({ name }) => only.includes(name));
}
