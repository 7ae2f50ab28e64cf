/** Ranks the sections of the site for a query, which may be a question in plain words. */
import MiniSearch from 'minisearch';
import { INDEX_OPTIONS, termsOf } from './terms.mjs';

/** Written by gatsby/after-build/search-index.mjs. */
export interface SearchData {
  index: object;
  /** Terms that mean the same as a term, so that readers need not know the terms of our pages. */
  synonyms: Record<string, string[]>;
}

export interface Result {
  id: number;
  heading: string;
  /** Title of the heading's page, or a second line; may be empty. */
  title: string;
  text: string;
  group: string;
  url: string;
  /** The matching terms. */
  terms: string[];
}

export type Find = (query: string) => Result[];

const MAX_RESULTS = 20;
/** Sections of one page. Others would hide the pages below them. */
const MAX_OF_PAGE = 3;
const MAX_QUERY = 200;
const BOOST = { heading: 5, title: 2, text: 1 };
const SYNONYM_WEIGHT = 0.6;
/** A page as a whole ranks higher than its sections. */
const PAGE_WEIGHT = 1.3;
/** Shorter terms match too much when letters differ. */
const MIN_FUZZY = 5;

export function createFind({ index, synonyms }: SearchData): Find {
  const search = MiniSearch.loadJS(index as never, INDEX_OPTIONS);
  return (query) => {
    const terms = new Set(termsOf(query.slice(0, MAX_QUERY)));
    const asked = [...terms].map((term) => [term, ...(synonyms[term] ?? [])]);
    const last = asked.at(-1)?.[0];
    const queries = asked.flatMap(([term = '', ...others]) => [
      // The reader may still be typing the last term.
      { queries: [term], boost: BOOST, prefix: term === last, fuzzy: term.length >= MIN_FUZZY ? 0.2 : false },
      ...others.map((other) => ({ queries: [other], boost: weighted(SYNONYM_WEIGHT) })),
    ]);
    const hits = search.search({ combineWith: 'OR', queries }, { tokenize: (term) => [term] });
    // A section about all of the question ranks above one that repeats a part of it.
    const scoreOf = ({ score, queryTerms, url }: (typeof hits)[number]) =>
      score *
      (asked.filter((group) => group.some((term) => queryTerms.includes(term))).length / asked.length) ** 2 *
      (url.includes('#') ? 1 : PAGE_WEIGHT);
    const ranked = hits.map((result) => ({ ...result, score: scoreOf(result) }));
    return perPage(ranked.sort((a, b) => b.score - a.score) as unknown as Result[]).slice(0, MAX_RESULTS);
  };
}

const weighted = (weight: number) =>
  Object.fromEntries(Object.entries(BOOST).map(([field, boost]) => [field, boost * weight]));

function perPage(results: readonly Result[]): Result[] {
  const counts = new Map<string, number>();
  return results.filter(({ url }) => {
    const page = url.split('#')[0] ?? '';
    const count = (counts.get(page) ?? 0) + 1;
    counts.set(page, count);
    return count <= MAX_OF_PAGE;
  });
}
