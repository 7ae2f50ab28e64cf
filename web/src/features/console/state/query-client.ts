/** The cache of the API's data. It repeats no call that failed, so that pages show the failure at once. */
import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { CallError } from './api';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: CallError;
  }
}

/** The key of the query for settings and profile. That call needs no sign-in, because browsers log a 401 as an error. */
export const settingsQueryKey = ['/settings'];

export function createQueryClient(): QueryClient {
  // At once, so that pages show a result before the code that awaited it goes on, for example to another page.
  notifyManager.setScheduler((flush) => queueMicrotask(flush));
  const onError = (error: Error) => {
    if (!(error instanceof CallError)) {
      // A fault of the page, which the browser reports.
      queueMicrotask(() => {
        throw error;
      });
    } else if (error.code === 'SIGNED_OUT') {
      void client.invalidateQueries({ queryKey: settingsQueryKey });
    }
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Drop cached data as soon as no page uses it: account data, and secrets in mutation variables.
      queries: {
        gcTime: 0,
        networkMode: 'always',
        refetchOnReconnect: false,
        refetchOnWindowFocus: false,
        retry: false,
      },
      mutations: { gcTime: 0, networkMode: 'always' },
    },
  });
  return client;
}

/** Forgets all data that the API has shown to the person who was signed in. */
export const forgetPerson = (client: QueryClient): void =>
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== settingsQueryKey[0] });
