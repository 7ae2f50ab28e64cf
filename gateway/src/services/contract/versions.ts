/** The dated versions of the API. */
import list from '@presenza/contract/versions.json';
import type { Lifetime } from './lifetime';

const versions: readonly ({ readonly date: string } & Lifetime)[] = list;

/** Dates such as `2026-11-23`, newest first. */
export const versionDates: readonly string[] = versions.map(({ date }) => date);

/** New accounts have this version. */
export const newestVersion = versionDates[0] as string;

/**
 * The version of requests that name none: that of the account, or the oldest if the account has none or its version has
 * ended.
 */
export const versionOfAccount = ({ apiVersion }: { readonly apiVersion?: string }): string =>
  versionDates.find((date) => date === apiVersion) ?? (versionDates.at(-1) as string);

/** When a version is deprecated and ends; empty unless it is deprecated. */
export const lifetimeOfVersion = (date: string): Lifetime =>
  versions.find((version) => version.date === date) ?? {};
