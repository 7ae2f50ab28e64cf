/** The build writes this module from content/verify, with the constants of the contract filled in. */
import type { Words } from './words';

export const ENGLISH: Words;
/** The languages that have a module in `words`. */
export const LOCALES: readonly string[];
