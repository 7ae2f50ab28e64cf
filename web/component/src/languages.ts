/** The languages of the package. English is part of its module; the others load when they are needed. */
import { pickLocale } from './locale';
import { ENGLISH, LOCALES } from './package-words';
import { rest } from './persist';
import type { Words } from './words';

/** A language that takes longer leaves the page in English. */
const TIMEOUT_MS = 5000;

/** @param wanted locales in order of preference */
export async function loadWords(wanted: readonly string[], signal: AbortSignal): Promise<Words> {
  const locale = pickLocale(wanted, LOCALES);
  if (locale === undefined || locale === ENGLISH.locale) return ENGLISH;
  const words = import(/* webpackIgnore: true */ `./words/${locale}.js`).then((module) => module.default);
  return Promise.race([words, rest(TIMEOUT_MS, signal).then(() => ENGLISH)]).catch(() => ENGLISH);
}
