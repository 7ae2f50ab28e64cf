/** The middle value, or the mean of the two in the middle; undefined of none. */
export const median = (values: readonly number[]): number | undefined => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  if (sorted.length === 0) return undefined;
  return sorted.length % 2 ? sorted[half] : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
};
