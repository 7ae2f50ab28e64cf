/** Marks matches in a text, and selects an excerpt of a long text. */
import { allTermsOf } from './terms.mjs';

export interface Part {
  text: string;
  isMatch: boolean;
  /** Start position in the text. */
  start: number;
}

/** Length of an excerpt in characters, and of its part before the first match. */
const LENGTH = 150;
const LEAD = 40;

/** @param terms stems; each matches the words of its stem */
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
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)]
    .filter(([word]) => allTermsOf(word).some((term) => terms.includes(term)))
    .map(({ 0: word, index }) => ({ start: index, end: index + word.length }));
}
