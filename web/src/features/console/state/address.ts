/** The query of a page's address, which has what the page shows, so that people can link to it. */
import { useCallback, useMemo, useSyncExternalStore } from 'react';

const changed = 'console-address';

function subscribe(onChange: () => void): () => void {
  for (const event of ['popstate', changed]) window.addEventListener(event, onChange);
  return () => {
    for (const event of ['popstate', changed]) window.removeEventListener(event, onChange);
  };
}

type Change = (changes: Readonly<Record<string, string | undefined>>, how?: 'push' | 'replace') => void;

/** The parameters of the query, and a function that changes some of them. Those that are empty are left out. */
export function useAddressQuery(): readonly [query: URLSearchParams, change: Change] {
  const search = useSyncExternalStore(
    subscribe,
    () => window.location.search,
    () => '',
  );
  const change = useCallback<Change>((changes, how = 'replace') => {
    const query = new URLSearchParams(window.location.search);
    for (const [name, value = ''] of Object.entries(changes)) {
      if (value === '') query.delete(name);
      else query.set(name, value);
    }
    const text = query.toString();
    const address = `${window.location.pathname}${text && `?${text}`}`;
    // Not the router's function, which scrolls to the top. Its state stays, so that it knows where the page was.
    window.history[`${how}State`](window.history.state, '', address);
    window.dispatchEvent(new Event(changed));
  }, []);
  return [useMemo(() => new URLSearchParams(search), [search]), change];
}
