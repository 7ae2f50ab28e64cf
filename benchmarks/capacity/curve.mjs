/** Reading a curve of times against offered load, measured or simulated, in one and the same way. */

import { isCarried } from '../load/figures.mjs';

/** @typedef {Pick<import('../load/figures.mjs').StepFigures, 'offeredPerSecond' | 'answeredPerSecond' | 'windowSeconds' | 'refusedShare' | 'p95Ms'>} Step */

/**
 * The interpolated knee. The knee of load/ramp is the highest step that is carried, and can be no other rate than those
 * of its steps; this one lies between that step and the next: where the 95th percentile crosses its target, by a line
 * through its logarithm, or what the next step answers, where that is less. A rate above one that is not carried does
 * not count, however it did.
 * @param {readonly Step[]} steps
 * @param {number} targetMs
 * @returns {number | undefined} requests a second; undefined where not even the lowest rate is carried
 */
export function interpolatedKneeOf(steps, targetMs) {
  const ascending = [...steps].sort((a, b) => a.offeredPerSecond - b.offeredPerSecond);
  const beyond = ascending.findIndex((step) => !isCarried(step, targetMs));
  if (beyond === 0) return undefined;
  if (beyond < 0) return ascending.at(-1)?.offeredPerSecond;
  const [last, next] = [ascending[beyond - 1], ascending[beyond]];
  return Math.max(last.offeredPerSecond, Math.min(crossing(last, next, targetMs), next.answeredPerSecond));
}

/** @param {Step} last @param {Step} next @param {number} targetMs */
function crossing(last, next, targetMs) {
  const [low, high] = [Math.log(last.p95Ms ?? 1), Math.log(next.p95Ms ?? Number.POSITIVE_INFINITY)];
  if (high <= Math.log(targetMs)) return next.offeredPerSecond;
  const part = (Math.log(targetMs) - low) / (high - low);
  return last.offeredPerSecond + part * (next.offeredPerSecond - last.offeredPerSecond);
}
