/** Two decimals, as thresholds are set. A value that does not reach a step is not rounded up to it: 0.799 is 0.79. */
export const twoDecimals = (value: number): string => (Math.floor(value * 100 + 1e-6) / 100).toFixed(2);
