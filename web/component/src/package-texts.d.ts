/** The build writes this module from content/verify, with the constants of the contract filled in. */
import type { Texts } from './texts';

export const ENGLISH: Texts;
/** The languages that have a module in `words`. */
export const LOCALES: readonly string[];
