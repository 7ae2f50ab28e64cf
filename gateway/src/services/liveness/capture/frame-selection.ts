/**
 * Selects the frames of an attempt that are kept for the verdict, at most 64: of each step the newest and, after the first
 * step, older ones spaced evenly. Each step has its own share, so that a long one does not displace the others.
 */

import limits from '@presenza/contract/limits.json';

const { maxFramesKept } = limits.liveness.attempt;

/** The numbers of the selected frames of each step, in ascending order. */
export type SelectedFrames = readonly (readonly number[])[];

interface Limits {
  readonly max: number;
  /** The newest frames of a step are never dropped, because they show that its turn was reached. */
  readonly newest: number;
}

/**
 * The first step keeps only its newest frames. While users still find their position, the pose says nothing about the
 * neutral pose, which the turns are measured from.
 */
const firstStep: Limits = { max: 10, newest: 10 };
/** A longer attempt keeps fewer frames of each step. @param steps of the attempt, at least 2 */
function laterSteps(steps: number): Limits {
  const max = Math.min(18, Math.floor((maxFramesKept - firstStep.max) / (steps - 1)));
  // Half of them are older, so that the verdict sees the faces of a whole long step.
  return { max, newest: Math.min(8, Math.ceil(max / 2)) };
}

/**
 * Adds a frame to a step.
 * @param number higher than the earlier numbers, unless a later frame overtook this one.
 * @param steps of the attempt.
 * @returns the selected frames, and the frame that was dropped.
 */
export function selectFrame(
  selected: SelectedFrames,
  step: number,
  number: number,
  steps: number,
): { readonly selected: SelectedFrames; readonly dropped?: number } {
  const bounds = step === 0 ? firstStep : laterSteps(steps);
  const numbers = [...(selected[step] ?? []), number].sort((a, b) => a - b);
  const withStep = (frames: readonly number[]) =>
    Array.from({ length: Math.max(selected.length, step + 1) }, (_, i) =>
      i === step ? frames : (selected[i] ?? []),
    );
  if (numbers.length <= bounds.max) return { selected: withStep(numbers) };
  const dropped = leastUseful(numbers, bounds);
  return { selected: withStep(numbers.filter((number) => number !== dropped)), dropped };
}

/** The frame that leaves the smallest gap. The first frame stays, unless only the newest do. */
function leastUseful(numbers: readonly number[], { newest }: Limits): number {
  const old = numbers.slice(0, numbers.length - newest);
  if (old.length === 1) return old[0] as number;
  const gap = (i: number) => (numbers[i + 1] as number) - (numbers[i - 1] as number);
  let at = 1;
  for (let i = 2; i < old.length; i++) if (gap(i) < gap(at)) at = i;
  return numbers[at] as number;
}
