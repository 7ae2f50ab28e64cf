// All scenarios, the most important ones first.

import { Stop } from '../../../../gateway/harness/cli/stop.mjs';
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

/**
 * @param {Pick<import('../installation/options.mjs').Options, 'only' | 'require'>} options
 * @throws {Stop} for a name that is not known, and for a required scenario that would not run
 */
export function chooseScenarios({ only, require }) {
  const unknown = [...only, ...require].find((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown !== undefined) throw new Stop(`There is no scenario ${unknown}. See --list.`);
  if (only.length === 0) return scenarios;
  const missing = require.find((name) => !only.includes(name));
  if (missing !== undefined) throw new Stop(`--only leaves out ${missing}, which --require names.`);
  return scenarios.filter(({ name }) => only.includes(name));
}
