const steps = [1, 2, 5, 10];

/** The end of a scale: the first of 1, 2, 5, 10, 20, 50 and so on that is not below the highest value. */
export function scaleOf(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, highest)));
  return power * (steps.find((step) => step * power >= highest) ?? 10);
}
