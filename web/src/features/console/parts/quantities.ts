/** Durations and sizes for readers. */

const three = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat('en');

/** 0.05 ms, 24.9 ms, 1.2 s */
export const formatMs = (ms: number): string =>
  // A duration that rounds to a second is a second.
  ms < 999.5 ? `${three.format(ms)} ms` : `${three.format(ms / 1000)} s`;

const units = ['kB', 'MB', 'GB'] as const;

/** 0 bytes, 1 byte, 183 kB */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${whole.format(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`;
  // 999,500 bytes would round to 1,000 kB.
  const power = Math.min(units.length, Math.floor(Math.log10(Number(bytes.toPrecision(3))) / 3));
  return `${three.format(bytes / 1000 ** power)} ${units[power - 1]}`;
}

/** The share of a part in percent. Only all of them are 100 %, and only none are 0 %. */
export function formatShare(part: number, total: number): string {
  const percent = (100 * part) / total;
  const text = percent.toFixed(percent > 99 || percent < 1 ? 2 : 1);
  if (part < total && Number(text) === 100) return '99.99';
  if (part > 0 && Number(text) === 0) return '0.01';
  return String(Number(text));
}
