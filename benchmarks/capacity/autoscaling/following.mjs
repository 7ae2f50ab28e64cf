/** How the number of pods followed the load. */
import { rateAt, startsOf } from './recorded-load.mjs';

/** @typedef {import('./recorded-load.mjs').Phase} Phase */

/**
 * Each second. `served` and `refused` count from the beginning; `wanted` is what the autoscaler asks for.
 * @typedef {{ second: number, wanted: number, ready: number, queue: number, served: number, refused: number }} Sample
 */

/** Pods that serve a rate with all their cores. @param {number} rate @param {number} perSecond of a pod */
export const podsFor = (rate, perSecond) => Math.ceil(rate / perSecond);

/**
 * @param {readonly Sample[]} samples
 * @param {readonly Phase[]} phases
 * @param {number} perSecond of a pod
 */
export function following(samples, phases, perSecond) {
  const starts = startsOf(phases);
  const rises = phases.flatMap(({ perSecond: rate }, i) =>
    i > 0 && rate > phases[i - 1].perSecond ? [lagOf(samples, starts[i], podsFor(rate, perSecond))] : [],
  );
  const enough = (/** @type {Sample} */ { second, ready }) =>
    ready >= podsFor(rateAt(phases, second), perSecond);
  const last = samples[samples.length - 1];
  const podHours = samples.reduce((sum, { wanted }) => sum + wanted, 0) / 3_600;
  const refusedWithEnough = samples.reduce(
    (sum, sample, i) =>
      i > 0 && enough(samples[i - 1]) && enough(sample) ? sum + sample.refused - samples[i - 1].refused : sum,
    0,
  );
  return {
    /** Of the rise that took longest; infinite if there were never enough pods. */
    longestLagSeconds: Math.max(0, ...rises),
    offered: last.served + last.refused + last.queue,
    served: last.served,
    refused: last.refused,
    refusedWithEnough,
    mostPods: Math.max(...samples.map(({ wanted }) => wanted)),
    neededPods: Math.max(...phases.map(({ perSecond: rate }) => podsFor(rate, perSecond))),
    podHours,
  };
}

/** @param {readonly Sample[]} samples @param {number} start @param {number} pods */
function lagOf(samples, start, pods) {
  const first = samples.find(({ second, ready }) => second >= start && ready >= pods);
  return first ? first.second - start : Number.POSITIVE_INFINITY;
}
