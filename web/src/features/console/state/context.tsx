/** The data that every part of the console reads: texts, API, and the person with their accounts. */
import type { Membership, Permission, Profile, Settings } from '@presenza/contract/console/types.d.ts';
import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { rememberVisitor } from '../../../visitor';
import { type ConsoleApi, createApi, dataOf, findApiUrl } from './api';
import { useOtherTabs } from './other-tabs';
import { PromptsProvider } from './prompts';
import { createQueryClient, forgetPerson, settingsQueryKey } from './query-client';
import type { Texts } from './texts';

/** Whether the person can sign in with more than a password. */
export const hasSecondFactor = ({ passkeys, hasOneTimePasswords }: Profile): boolean =>
  passkeys.length > 0 || hasOneTimePasswords;

/** Whether the sign-in suffices for changes of credentials. */
export const maySecure = (profile: Profile): boolean =>
  profile.isRecent && (profile.isTwoFactor || !hasSecondFactor(profile));

interface ConsoleState {
  readonly texts: Texts;
  readonly api: ConsoleApi;
  /** The address of the gateway. */
  readonly apiUrl: string;
  readonly settings: Settings;
  /** Undefined while nobody is signed in. */
  readonly profile: Profile | undefined;
  /** Reads the profile again, after a sign-in, a sign-out or a change. @throws CallError */
  refresh(): Promise<Profile | undefined>;
  /** The account that the pages show. */
  readonly account: Membership | undefined;
  /** Whether the person may make a call in that account. */
  may(call: Permission): boolean;
  chooseAccount(accountId: string): void;
}

const Context = createContext<ConsoleState | undefined>(undefined);
/** For this tab: two tabs may show two accounts. */
const chosenAccountKey = 'console-account';

interface ProviderProps {
  readonly texts: Texts;
  readonly loading: ReactNode;
  /** Shown if the API does not respond. */
  failed(retry: () => void): ReactNode;
  readonly children: ReactNode;
}

export function ConsoleProvider(props: ProviderProps) {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <PromptsProvider>
        <StateProvider {...props} />
      </PromptsProvider>
    </QueryClientProvider>
  );
}

function StateProvider({ texts, loading, failed, children }: ProviderProps) {
  const { data, isError, refetch } = useStart();
  const [chosen, setChosen] = useState<string>();
  const { apiUrl, settings } = data ?? {};
  const api = useMemo(() => (apiUrl === undefined ? undefined : createApi(apiUrl)), [apiUrl]);
  const state = useMemo<ConsoleState | undefined>(() => {
    if (apiUrl === undefined || !api || !settings) return undefined;
    const { profile } = settings;
    const accounts = profile?.accounts ?? [];
    const chosenId = chosen ?? sessionStorage.getItem(chosenAccountKey);
    const account = accounts.find(({ accountId }) => accountId === chosenId) ?? accounts[0];
    return {
      texts,
      api,
      apiUrl,
      settings,
      profile: profile ?? undefined,
      account,
      may: (call) => account?.permissions.includes(call) === true,
      refresh: async () => {
        const { data: current } = await refetch({ throwOnError: true });
        return current?.settings.profile ?? undefined;
      },
      chooseAccount: (accountId) => {
        sessionStorage.setItem(chosenAccountKey, accountId);
        setChosen(accountId);
      },
    };
  }, [texts, api, apiUrl, settings, refetch, chosen]);

  if (state) return <Context.Provider value={state}>{children}</Context.Provider>;
  return isError ? failed(() => void refetch()) : loading;
}

interface Start {
  readonly apiUrl: string;
  readonly settings: Settings;
}

/** Finds the API, and reads settings and profile. */
function useStart() {
  const client = useQueryClient();
  const notifyOtherTabs = useOtherTabs(
    useCallback(() => void client.invalidateQueries({ queryKey: settingsQueryKey }), [client]),
  );
  return useQuery<Start>({
    queryKey: settingsQueryKey,
    queryFn: async () => {
      const before = client.getQueryData<Start>(settingsQueryKey);
      const apiUrl = before?.apiUrl ?? (await findApiUrl());
      const settings = await dataOf(createApi(apiUrl).GET('/settings'));
      rememberVisitor(Boolean(settings.profile));
      if (before && settings.profile?.userId !== before.settings.profile?.userId) {
        forgetPerson(client);
        notifyOtherTabs();
      }
      return { apiUrl, settings };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useConsole(): ConsoleState {
  const state = useContext(Context);
  if (!state) throw new Error('The console has no provider.');
  return state;
}

/** For pages of people who are signed in and have an account. */
export function useAccount(): ConsoleState & {
  readonly profile: Profile;
  readonly account: Membership;
} {
  const state = useConsole();
  const { profile, account } = state;
  if (!profile || !account) throw new Error('Nobody is signed in.');
  return { ...state, profile, account };
}
