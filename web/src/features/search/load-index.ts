import MiniSearch from 'minisearch';
import options from './index-options.json';

export interface Result {
  id: number;
  heading: string;
  /** Of the page that the heading is on, or a second line; may be empty. */
  title: string;
  text: string;
  group: string;
  url: string;
  /** What of the entry matches. */
  terms: string[];
}

export type Find = (query: string) => Result[];

/** Written by gatsby/after-build/search-index.mjs. */
const INDEX = '/search-index.json';
const MAX_RESULTS = 30;
const MAX_QUERY = 200;

let loading: Promise<Find> | undefined;

/** Loads the index once; a load that failed is tried again at the next call. */
export function loadIndex(): Promise<Find> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Find> {
  const answer = await fetch(INDEX);
  if (!answer.ok) throw new Error(`The index was answered with ${answer.status}.`);
  const index = MiniSearch.loadJSON(await answer.text(), options as never);
  return (query) => index.search(query.slice(0, MAX_QUERY)).slice(0, MAX_RESULTS) as never;
}
