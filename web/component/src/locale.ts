/**
 * The first available language that a person wants.
 * @param wanted locales in order of preference; a region without a file gets another region of its language
 */
export function pickLocale(wanted: readonly string[], available: readonly string[]): string | undefined {
  for (const locale of wanted) {
    const found =
      available.find((one) => one.toLowerCase() === locale.toLowerCase()) ??
      available.find((one) => languageOf(one) === languageOf(locale));
    if (found) return found;
  }
  return undefined;
}

const languageOf = (locale: string) => locale.toLowerCase().split('-')[0];
