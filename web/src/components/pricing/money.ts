const LOCALE = 'en-US';

const counts = new Intl.NumberFormat(LOCALE);

/** 10000 -> 10,000 */
export const formatCount = (count: number) => counts.format(count);

/**
 * Whole amounts without decimals, all others with two, and rates with tenths of a cent with three.
 * @param currency ISO 4217
 */
export function formatMoney(amount: number, currency: string): string {
  const decimals = Number.isInteger(amount) ? 0 : 2;
  return new Intl.NumberFormat(LOCALE, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: 3,
  }).format(amount);
}
