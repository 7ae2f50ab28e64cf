/** @type {import('./scenario.mjs').Scenario[]} */
export const clusterScenarios = [];
