/** The dated versions of the API. */
import versions from '@presenza/contract/versions.json';

/** Dates such as `2026-11-23`, newest first. */
export const versionDates: readonly string[] = versions.map(({ date }) => date);

/** New accounts have this version. */
export const newestVersion = versionDates[0] as string;

/** Accounts without a version have this one. */
export const firstVersion = versionDates.at(-1) as string;
