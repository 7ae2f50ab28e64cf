/**
 * The first available language that a person wants.
 * @param wanted locales in order of preference; a region without a file gets another region of its language
 */
export function pickLocale(wanted: readonly string[], available: readonly string[]): string | undefined {
  for (const locale of wanted) {
    const match =
      available.find((candidate) => candidate.toLowerCase() === locale.toLowerCase()) ??
      available.find((candidate) => languageOf(candidate) === languageOf(locale));
    if (match) return match;
  }
  return undefined;
}

const languageOf = (locale: string) => locale.toLowerCase().split('-')[0];
