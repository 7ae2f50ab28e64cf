/** Loads that the load suite recorded, multiplied for many pods and stretched to the pace of an autoscaler. */
import { readResult } from '../../lib/results.mjs';

/** @typedef {{ seconds: number, perSecond: number }} Phase with a constant rate */

/** All are requests to detect. @type {Readonly<Record<string, () => Phase[]>>} */
const RECORDED = {
  spike() {
    const { conditions, tables } = readResult('load/spike');
    return (tables.find(({ title }) => title === 'Responses by phase')?.rows ?? []).map(
      ([phase, requests]) => {
        const seconds = Number(conditions[`${phase}Seconds`]);
        return { seconds, perSecond: Number(requests) / seconds };
      },
    );
  },
  ramp() {
    const { seconds, mixes } = readResult('load/ramp').data;
    const mix = mixes.find((/** @type {any} */ { operation }) => operation === 'detect');
    return mix.steps.map((/** @type {any} */ { offeredPerSecond }) => ({
      seconds,
      perSecond: offeredPerSecond,
    }));
  },
};

/**
 * @param {string} name
 * @param {{ rateFactor: number, timeFactor: number }} factors of all rates, and of all durations
 * @returns {Phase[]}
 */
export function recordedLoad(name, { rateFactor, timeFactor }) {
  const phases = RECORDED[name];
  if (!phases) throw new Error(`There is no load "${name}": ${Object.keys(RECORDED).join(', ')}.`);
  return phases().map(({ seconds, perSecond }) => ({
    seconds: timeFactor * seconds,
    perSecond: rateFactor * perSecond,
  }));
}

/** @param {readonly Phase[]} phases @returns {number[]} seconds until each of them begins */
export const startsOf = (phases) =>
  phases.map((_, i) => phases.slice(0, i).reduce((sum, { seconds }) => sum + seconds, 0));

/** @param {readonly Phase[]} phases @param {number} second @returns {number} rate, 0 after the last phase */
export function rateAt(phases, second) {
  const starts = startsOf(phases);
  const phase = phases.find(({ seconds }, i) => second >= starts[i] && second < starts[i] + seconds);
  return phase?.perSecond ?? 0;
}
