/** Two decimals, rounded down, so that 0.799 does not appear to reach 0.80. */
export const twoDecimals = (value: number): string => (Math.floor(value * 100 + 1e-6) / 100).toFixed(2);
