/**
 * What a visitor has agreed to, and for how long that holds: 13 calendar months from the moment of the choice, which
 * nothing later extends. Pure rules; the store knows where the record is kept.
 */

/** What a visitor may switch on or off. Necessary storage is always in use. */
export const OPTIONAL = ['analytics', 'marketing'] as const;

export type Category = (typeof OPTIONAL)[number];
export type Choices = Readonly<Record<Category, boolean>>;

export interface Consent extends Choices {
  readonly necessary: true;
  /** When the choice was made, ISO 8601 in UTC. */
  readonly timestamp: string;
}

export const VALID_MONTHS = 13;
/** The cookie's life. It is below the 400 days that browsers allow, and may end just before or after the 13 months. */
export const COOKIE_DAYS = 395;

const DAY_MS = 86_400_000;
/** A record from the future is wrong; but a clock may have been set back a little since. */
const CLOCK_TOLERANCE_MS = DAY_MS;

/** @param now milliseconds since 1970 */
export const consentTo = ({ analytics, marketing }: Choices, now: number): Consent => ({
  necessary: true,
  analytics,
  marketing,
  timestamp: new Date(now).toISOString(),
});

/**
 * Reads a record as this site wrote it, or as earlier versions did, with the time as milliseconds.
 * @returns null for anything that is no record, or has no date
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

/**
 * The same day and time so many months later, in UTC; the last day of the month where there is no such day.
 * @param time milliseconds since 1970
 */
export function addMonths(time: number, months: number): number {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  // 31 January and 13 months would come to 3 March: day 0 is the last one of the month before.
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}

/** Seconds that the cookie of this consent still has, counted from the choice. */
export const secondsLeft = ({ timestamp }: Consent, now: number): number =>
  Math.floor((Date.parse(timestamp) + COOKIE_DAYS * DAY_MS - now) / 1000);
