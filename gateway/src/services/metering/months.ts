/** Calendar months in UTC, the periods of quotas, such as `2026-11`. */

export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7);

/** First instant of the month, milliseconds since 1970. */
export const startOf = (month: string): number => Date.parse(`${month}-01T00:00:00.000Z`);

/** @param by number of months to add; may be negative. */
export function shift(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return monthOf(Date.UTC(year, number - 1 + by, 1));
}

/** First instant after the month, when quotas reset. */
export const endOf = (month: string): number => startOf(shift(month, 1));

/** 28 to 31. */
export const daysOf = (month: string): number => new Date(endOf(month) - 1).getUTCDate();
