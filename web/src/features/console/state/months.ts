/** Calendar months in UTC, such as `2026-11`. */

const name = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

export const monthOf = (time: string | number): string => new Date(time).toISOString().slice(0, 7);

/** November 2026 */
export const monthName = (month: string): string => name.format(new Date(`${month}-01T00:00:00Z`));

/** The months from the one of a time until now, newest first. @param most how many at most */
export function monthsSince(time: string, most: number, now = Date.now()): string[] {
  const first = monthOf(time);
  const today = new Date(now);
  const months = Array.from({ length: most }, (_, back) =>
    monthOf(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back)),
  );
  return months.filter((month, back) => back === 0 || month >= first);
}

/** The last day before an end that belongs to the next period. */
export const lastDayOf = (end: string): string => new Date(Date.parse(end) - 1).toISOString();
