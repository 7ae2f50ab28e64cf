import MiniSearch from 'minisearch';
import options from './index-options.json';

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

/** Written by gatsby/after-build/search-index.mjs. */
const INDEX = '/search-index.json';
const MAX_RESULTS = 30;
const MAX_QUERY = 200;

let loading: Promise<Find> | undefined;

/** Loads the index once. The next call retries a failed load. */
export function loadIndex(): Promise<Find> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Find> {
  const response = await fetch(INDEX);
  if (!response.ok) throw new Error(`The server responded to the index with ${response.status}.`);
  const index = MiniSearch.loadJSON(await response.text(), options as never);
  return (query) => index.search(query.slice(0, MAX_QUERY)).slice(0, MAX_RESULTS) as never;
}
