import type { Probe } from '../../catalogue/manifest-parts';

/** Probability that the features show what the probe looks for, 0 to 1. */
export function probabilityOf({ weights, bias }: Probe, features: Float32Array): number {
  const logit = features.reduce((sum, value, i) => sum + value * (weights[i] as number), bias);
  return 1 / (1 + Math.exp(-logit));
}
