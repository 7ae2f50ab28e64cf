/**
 * Formats four significant digits like benchmarks/results/RESULTS.md.
 * @param {number} value @param {string} unit
 */
export function formatMeasured(value, unit) {
  const small = value !== 0 && Math.abs(value) < 1e-3;
  const digits = small
    ? value.toExponential(1)
    : Number(value.toPrecision(4)).toLocaleString('en-US', { maximumSignificantDigits: 4 });
  return unit === '%' || unit === 'x' ? `${digits}${unit}` : `${digits} ${unit}`.trim();
}
