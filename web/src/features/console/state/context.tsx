/** The data that every part of the console reads: words, API, and the person with their accounts. */
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { type ConsoleApi, findApi } from './api';
import type { Words } from './words';

export type Role = 'owner' | 'developer' | 'billing' | 'viewer';

export interface AccountOfPerson {
  readonly accountId: string;
  readonly name: string;
  readonly plan: string;
  readonly role: Role;
}

export interface Profile {
  readonly userId: string;
  readonly email: string;
  readonly accounts: readonly AccountOfPerson[];
  readonly hasPassword: boolean;
  readonly hasOneTimePasswords: boolean;
  readonly recoveryCodesLeft: number;
  readonly passkeys: readonly {
    readonly passkeyId: string;
    readonly name: string;
    readonly addedAt: string;
    readonly usedAt?: string;
  }[];
  /** Whether the person signed in within the last minutes. */
  readonly isRecent: boolean;
  /** Whether it used a passkey or a second factor. */
  readonly isTwoFactor: boolean;
  readonly isOperator?: boolean;
}

/** Whether the person can sign in with more than a password. */
export const hasSecondFactor = ({ passkeys, hasOneTimePasswords }: Profile): boolean =>
  passkeys.length > 0 || hasOneTimePasswords;

/** Whether the sign-in suffices for changes of credentials. */
export const maySecure = (profile: Profile): boolean =>
  profile.isRecent && (profile.isTwoFactor || !hasSecondFactor(profile));

/** Settings of the service that pages depend on. */
interface Settings {
  /** Whether a mail server is configured. Otherwise, operators read the mails. */
  readonly smtp: boolean;
  readonly passwordLength: { readonly least: number; readonly most: number };
}

interface ConsoleState {
  readonly words: Words;
  readonly api: ConsoleApi;
  readonly settings: Settings;
  /** Undefined while nobody is signed in. */
  readonly profile: Profile | undefined;
  /** Reads the profile again, after a sign-in, a sign-out or a change. */
  refresh(): Promise<Profile | undefined>;
  /** The account that the pages show. */
  readonly account: AccountOfPerson | undefined;
  chooseAccount(accountId: string): void;
}

const Context = createContext<ConsoleState | undefined>(undefined);
/** For this tab: two tabs may show two accounts. */
const chosenAccountKey = 'console-account';

/** Settings are open to everybody, so that browsers log no failure for people who are signed out. */
interface Found extends Settings {
  readonly profile: Profile | null;
}

interface ProviderProps {
  readonly words: Words;
  readonly loading: ReactNode;
  /** Shown if the API does not respond. */
  failed(retry: () => void): ReactNode;
  readonly children: ReactNode;
}

export function ConsoleProvider({ words, loading, failed, children }: ProviderProps) {
  const [api, setApi] = useState<ConsoleApi>();
  const [found, setFound] = useState<Found>();
  const [status, setStatus] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [chosen, setChosen] = useState<string>();

  const start = useCallback(async () => {
    setStatus('loading');
    try {
      const beside = await findApi();
      setApi(beside);
      setFound(await beside.call('GET', '/settings'));
      setChosen(sessionStorage.getItem(chosenAccountKey) ?? undefined);
      setStatus('ready');
    } catch {
      setStatus('failed');
    }
  }, []);
  useEffect(() => void start(), [start]);

  const state = useMemo<ConsoleState | undefined>(() => {
    if (!api || !found) return undefined;
    const { profile, ...settings } = found;
    const accounts = profile?.accounts ?? [];
    return {
      ...{ words, api, settings, profile: profile ?? undefined },
      account: accounts.find(({ accountId }) => accountId === chosen) ?? accounts[0],
      refresh: async () => {
        const current = await api.call<Found>('GET', '/settings');
        setFound(current);
        return current.profile ?? undefined;
      },
      chooseAccount: (accountId) => {
        sessionStorage.setItem(chosenAccountKey, accountId);
        setChosen(accountId);
      },
    };
  }, [words, api, found, chosen]);

  if (status === 'failed') return failed(start);
  if (status === 'loading' || !state) return loading;
  return <Context.Provider value={state}>{children}</Context.Provider>;
}

export function useConsole(): ConsoleState {
  const state = useContext(Context);
  if (!state) throw new Error('The console has no provider.');
  return state;
}

/** For pages of people who are signed in and have an account. */
export function useAccount(): ConsoleState & {
  readonly profile: Profile;
  readonly account: AccountOfPerson;
} {
  const state = useConsole();
  const { profile, account } = state;
  if (!profile || !account) throw new Error('Nobody is signed in.');
  return { ...state, profile, account };
}
