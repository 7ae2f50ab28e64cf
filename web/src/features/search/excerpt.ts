/** Marks matches in a text, and selects an excerpt of a long text. */
export interface Part {
  text: string;
  isMatch: boolean;
  /** Start position in the text. */
  start: number;
}

/** Length of an excerpt in characters, and of its part before the first match. */
const LENGTH = 150;
const LEAD = 40;

/** @param terms in lower case; a term matches words that start with it */
export function markTerms(text: string, terms: readonly string[]): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const { start, end } of matchesOf(text, terms)) {
    if (start > from) parts.push({ text: text.slice(from, start), isMatch: false, start: from });
    parts.push({ text: text.slice(start, end), isMatch: true, start });
    from = end;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isMatch: false, start: from });
  return parts;
}

/** The surroundings of the first match, cut between words. */
export function excerptOf(text: string, terms: readonly string[]): string {
  if (text.length <= LENGTH) return text;
  const first = matchesOf(text, terms)[0]?.start ?? 0;
  const from = first <= LEAD ? 0 : text.indexOf(' ', first - LEAD) + 1;
  const end = text.lastIndexOf(' ', from + LENGTH);
  const cut = text.slice(from, end > from && from + LENGTH < text.length ? end : from + LENGTH);
  return `${from > 0 ? '… ' : ''}${cut}${from + LENGTH < text.length ? ' …' : ''}`;
}

function matchesOf(text: string, terms: readonly string[]) {
  const lower = text.toLowerCase();
  const found: { start: number; end: number }[] = [];
  // Like in the index, characters other than letters and digits separate words.
  for (const { 0: word, index: start } of lower.matchAll(/[^\s!-/:-@[-`{-~–—…]+/g)) {
    const longest = terms.filter((term) => word.startsWith(term)).sort((a, b) => b.length - a.length)[0];
    if (longest && start !== undefined) found.push({ start, end: start + longest.length });
  }
  return found;
}
