/** Reading a curve of times against offered load, measured or simulated, in one and the same way. */

/** @typedef {{ offeredPerSecond: number, answeredPerSecond: number, refusedShare: number, p95Ms: number | null }} Step */

/** As the load report counts a rate as carried: nearly nothing refused, and no growing backlog. */
const CARRIED = Object.freeze({ refusedShare: 0.001, answeredShare: 0.99 });

/** @param {Step} step @param {number} targetMs of the 95th percentile */
const isCarried = ({ p95Ms, refusedShare, answeredPerSecond, offeredPerSecond }, targetMs) =>
  p95Ms !== null &&
  p95Ms <= targetMs &&
  refusedShare < CARRIED.refusedShare &&
  answeredPerSecond >= CARRIED.answeredShare * offeredPerSecond;

/**
 * The knee between two steps: where the 95th percentile crosses its target, by a line through its logarithm from the last
 * rate that is carried to the next. A rate above one that is not carried does not count, however it did.
 * @param {readonly Step[]} steps
 * @param {number} targetMs
 * @returns {number | undefined} requests a second; undefined where not even the lowest rate is carried
 */
export function kneeOf(steps, targetMs) {
  const ascending = [...steps].sort((a, b) => a.offeredPerSecond - b.offeredPerSecond);
  const beyond = ascending.findIndex((step) => !isCarried(step, targetMs));
  if (beyond === 0) return undefined;
  if (beyond < 0) return ascending.at(-1)?.offeredPerSecond;
  const [last, next] = [ascending[beyond - 1], ascending[beyond]];
  const [low, high] = [Math.log(last.p95Ms ?? 1), Math.log(next.p95Ms ?? Number.POSITIVE_INFINITY)];
  // What failed for other reasons than its times (refusals, a backlog) tells nothing of where in between it began.
  const part = high > Math.log(targetMs) ? (Math.log(targetMs) - low) / (high - low) : 0;
  return last.offeredPerSecond + part * (next.offeredPerSecond - last.offeredPerSecond);
}
