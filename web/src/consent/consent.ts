/**
 * The rules of consent: a choice is valid for 13 calendar months, which nothing extends. The store handles persistence.
 * vanilla-cookieconsent would add 10 kB of script and 5 kB of styles to every page, compressed, and has neither these rules
 * nor Global Privacy Control, so most of this code would remain.
 */

/** The optional categories. Necessary storage is always active. */
export const OPTIONAL = ['analytics', 'marketing'] as const;

export type Category = (typeof OPTIONAL)[number];
export type Choices = Readonly<Record<Category, boolean>>;

export interface Consent extends Choices {
  readonly necessary: true;
  /** Time of the choice, ISO 8601 in UTC. */
  readonly timestamp: string;
}

export const VALID_MONTHS = 13;
/** The cookie's lifetime, below the 400 days that browsers allow. It may end shortly before or after the 13 months. */
export const COOKIE_DAYS = 395;

const DAY_MS = 86_400_000;
/** Tolerance for records from the future, since clocks may be set back. */
const CLOCK_TOLERANCE_MS = DAY_MS;

/** @param now milliseconds since 1970 */
export const consentTo = ({ analytics, marketing }: Choices, now: number): Consent => ({
  necessary: true,
  analytics,
  marketing,
  timestamp: new Date(now).toISOString(),
});

/**
 * Parses a record.
 * @returns null for an invalid or undated record
 */
export function parseConsent(text: string | null): Consent | null {
  if (!text) return null;
  try {
    const { analytics, marketing, timestamp } = JSON.parse(text);
    const date = new Date(timestamp ?? Number.NaN);
    const choices = { analytics: analytics === true, marketing: marketing === true };
    return Number.isNaN(date.getTime()) ? null : consentTo(choices, date.getTime());
  } catch {
    return null;
  }
}

/** @param now milliseconds since 1970 */
export function isValid({ timestamp }: Consent, now: number): boolean {
  const chosen = Date.parse(timestamp);
  return now < addMonths(chosen, VALID_MONTHS) && chosen <= now + CLOCK_TOLERANCE_MS;
}

/** Adds months in UTC. If the target month lacks the day, its last day is used. @param time milliseconds since 1970 */
export function addMonths(time: number, months: number): number {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  // 31 January plus 13 months would be 3 March: day 0 is the last day of the previous month.
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}

/** The remaining lifetime of the cookie in seconds, counted from the choice. */
export const secondsLeft = ({ timestamp }: Consent, now: number): number =>
  Math.floor((Date.parse(timestamp) + COOKIE_DAYS * DAY_MS - now) / 1000);
