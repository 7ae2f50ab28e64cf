/** The result of several frames of an animation: the highest confidence of each category and subtype in any frame. */
import type { DetectedElement, Probabilities } from '../../wire';

/** One element for each category. */
export function highestElements(elements: readonly DetectedElement[]): DetectedElement[] {
  return [...byType(elements)].map(([type, same]) => {
    const subTypes = [...byType(same.flatMap((element) => element.subTypes ?? []))].map(([subType, all]) => ({
      type: subType,
      confidence: highestOf(all),
    }));
    return {
      type,
      confidence: highestOf(same),
      subTypes: subTypes.sort((a, b) => b.confidence - a.confidence),
    };
  });
}

/** The highest value at each position. */
export const highest = (lists: readonly (readonly number[])[]): number[] =>
  (lists[0] ?? []).map((_, i) => Math.max(...lists.map((list) => list[i] as number)));

export function highestProbabilities(all: readonly Probabilities[]): Probabilities {
  const names = Object.keys(all[0] ?? {}) as (keyof Probabilities)[];
  const pairs = names.map((name) => [name, Math.max(...all.map((probabilities) => probabilities[name]))]);
  return Object.fromEntries(pairs) as Probabilities;
}

const highestOf = (all: readonly { readonly confidence: number }[]) =>
  Math.max(...all.map(({ confidence }) => confidence));

function byType<T extends { readonly type: string }>(all: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of all) groups.set(item.type, [...(groups.get(item.type) ?? []), item]);
  return groups;
}
