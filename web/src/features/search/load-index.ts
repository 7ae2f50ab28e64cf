import { createFind, type Find, type SearchData } from './find';

const INDEX = '/search-index.json';

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
  return createFind((await response.json()) as SearchData);
}
