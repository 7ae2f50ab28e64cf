/** The languages of the package. English is part of its module; the others load when they are needed. */
import { pickLocale } from './locale';
import { ENGLISH, LOCALES } from './package-texts';
import { rest } from './persist';
import type { Texts } from './texts';

/** A language that takes longer leaves the page in English. */
const TIMEOUT_MS = 5000;

/** @param wanted locales in order of preference */
export async function loadTexts(wanted: readonly string[], signal: AbortSignal): Promise<Texts> {
  const locale = pickLocale(wanted, LOCALES);
  if (locale === undefined || locale === ENGLISH.locale) return ENGLISH;
  const texts = import(/* webpackIgnore: true */ `./words/${locale}.js`).then((module) => module.default);
  return Promise.race([texts, rest(TIMEOUT_MS, signal).then(() => ENGLISH)]).catch(() => ENGLISH);
}
