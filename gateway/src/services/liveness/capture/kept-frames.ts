/**
 * Which frames of an attempt are kept to be judged: at most 64 of however many came, thinned out evenly within each
 * step, so that a long wait in one step takes nothing from the others.
 */

/** For each step the numbers of its kept frames, rising. */
export type KeptFrames = readonly (readonly number[])[];

interface Rule {
  readonly most: number;
  /** So many of the newest are never thinned out: in them a turn is reached. */
  readonly newest: number;
}

/**
 * Of the first step only the newest: while somebody still finds the place in front of the camera, the pose says
 * nothing of how the head is held straight, which the turns are measured from.
 */
const first: Rule = { most: 10, newest: 10 };
const others: Rule = { most: 18, newest: 8 };

/** The most that are kept of an attempt with so many steps. */
export const mostKept = (steps: number): number => first.most + (steps - 1) * others.most;

/**
 * Adds a frame to a step.
 * @param number higher than those before it, but for a frame that was overtaken on its way.
 * @returns the frames that are kept now, and the one that is not any more.
 */
export function keep(
  kept: KeptFrames,
  step: number,
  number: number,
): { readonly kept: KeptFrames; readonly dropped?: number } {
  const rule = step === 0 ? first : others;
  const numbers = [...(kept[step] ?? []), number].sort((a, b) => a - b);
  const withStep = (of: readonly number[]) =>
    Array.from({ length: Math.max(kept.length, step + 1) }, (_, i) => (i === step ? of : (kept[i] ?? [])));
  if (numbers.length <= rule.most) return { kept: withStep(numbers) };
  const dropped = leastMissed(numbers, rule);
  return { kept: withStep(numbers.filter((one) => one !== dropped)), dropped };
}

/** The one that leaves the smallest gap. The first of all stays, where any but the newest do. */
function leastMissed(numbers: readonly number[], { newest }: Rule): number {
  const old = numbers.slice(0, numbers.length - newest);
  if (old.length === 1) return old[0] as number;
  const gap = (i: number) => (numbers[i + 1] as number) - (numbers[i - 1] as number);
  let at = 1;
  for (let i = 2; i < old.length; i++) if (gap(i) < gap(at)) at = i;
  return numbers[at] as number;
}
