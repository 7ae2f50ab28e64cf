/** Whether a rolling restart of gateways and of the inference tier drops anything. */

import { rehearsals } from './rehearsals.mjs';
import { pause } from './rehearse.mjs';

/** Between leaving the endpoints and SIGTERM: what a preStop hook sleeps for. */
const PRE_STOP_MS = 3_000;

/** @typedef {import('../resilience/parts.mjs').Part} Part */
/** @typedef {import('./balancer.mjs').Balancer} Balancer */

/** As Kubernetes does it with a preStop hook: out of the endpoints, later SIGTERM, then the next. */
/** @param {readonly Part[]} parts @param {Balancer} balancer */
async function inOrder(parts, balancer) {
  for (const part of parts) {
    balancer.takeOut(part.name);
    await pause(PRE_STOP_MS);
    await restart(part, balancer);
  }
}

/** SIGTERM at once: the balancer learns of it from the readiness alone. */
/** @param {readonly Part[]} parts @param {Balancer} balancer */
async function atOnce(parts, balancer) {
  for (const part of parts) await restart(part, balancer);
}

/** @param {Part} part @param {Balancer} balancer */
async function restart(part, balancer) {
  await part.running.stop();
  await part.beginUntilUp();
  await balancer.putIn(part.name);
  // Its clients come back to it before the next one goes.
  await pause(1_000);
}

export const rollingRestart = rehearsals({
  name: 'faults/rolling',
  answers: 'Does a rolling restart of the gateways or of the inference tier drop a request?',
  remark: `Two of each behind TCP balancers that go by readiness. In order: out of the balancer, ${PRE_STOP_MS / 1e3} s later SIGTERM, and nothing may fail even once. At once: SIGTERM first, and clients repeat what failed.`,
  // Half of what it can do: with one of two away, a rolling restart of a service that is used has no room left.
  perSecond: 0,
  setting: () => ({ inferences: 2 }),
  faults: ({ gateways, inference, balancer, inferenceBalancer, frontUrl }) => {
    const course = { faultMs: 0, end: () => {}, urls: [frontUrl] };
    return [
      {
        name: 'gateways in order',
        begin: () => inOrder(gateways, balancer),
        withoutRetry: true,
        ...course,
      },
      {
        name: 'inference in order',
        begin: () => inOrder(inference, inferenceBalancer),
        withoutRetry: true,
        ...course,
      },
      { name: 'gateways at once', begin: () => atOnce(gateways, balancer), ...course },
      { name: 'inference at once', begin: () => atOnce(inference, inferenceBalancer), ...course },
    ];
  },
});
