/** Words of content/demos.json with values put into them. */

/** Replaces each {name} by its value. */
export const put = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** Two decimals, as thresholds are set. A value that does not reach a step is not rounded up to it: 0.799 is 0.79. */
export const twoDecimals = (value: number): string => (Math.floor(value * 100 + 1e-6) / 100).toFixed(2);
