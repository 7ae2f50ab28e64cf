/** The pages of the console, each with its script, its address and the people who may open it. */

import { match } from '@gatsbyjs/reach-router';
import type { Permission } from '@presenza/contract/console/types.d.ts';
import { navigate } from 'gatsby';
import { type ComponentType, useEffect, useState } from 'react';
import { Loading, Message, useErrorText } from '../parts/message';
import { Missing } from '../parts/missing';
import { CallError } from '../state/api';
import { useConsole } from '../state/context';
import type { Params } from '../state/params';
import { useAction } from '../state/queries';
import type { Texts } from '../state/texts';

/**
 * The people who may open a page: anyone; people who are signed in; operators; or members of the chosen account who may
 * make this call, which the page needs.
 */
type Audience = 'anyone' | 'person' | 'operator' | Permission;

type Shown = ComponentType<{ params: Params }>;

/** A component whose script loads on first use. React's `lazy` would show its placeholder for at least 0.3 s. */
interface Screen {
  load(): Promise<Shown>;
  /** Undefined until the script has loaded. */
  shown?: Shown;
}

export interface ConsolePage {
  /** Below /console. */
  readonly path: string;
  readonly audience: Audience;
  readonly screen: Screen;
  /** Its place in the navigation and its title, if it is listed there. */
  readonly name?: keyof Texts['shell']['pages'];
}

// Three scripts, not one for each page: every page of the site loads webpack's list of scripts.
const signIn = () => import('./sign-in');
const account = () => import('./account');
const tools = () => import('./tools');

function screenOf<Name extends string>(
  script: () => Promise<Readonly<Record<Name, Shown>>>,
  name: Name,
): Screen {
  const screen: Screen = {
    load: async () => {
      const screens = await script().catch(() => {
        throw new CallError('UNREACHABLE', '');
      });
      screen.shown = screens[name];
      return screen.shown;
    },
  };
  return screen;
}

export const pages: readonly ConsolePage[] = [
  { path: '/', name: 'home', audience: 'accountsShow', screen: screenOf(account, 'Home') },
  {
    path: 'playground',
    name: 'playground',
    audience: 'playgroundDetect',
    screen: screenOf(tools, 'Playground'),
  },
  { path: 'keys', name: 'keys', audience: 'keysList', screen: screenOf(account, 'Keys') },
  { path: 'webhooks', name: 'webhooks', audience: 'webhooksList', screen: screenOf(account, 'Webhooks') },
  { path: 'webhooks/:webhook', audience: 'webhooksList', screen: screenOf(account, 'WebhooksEndpoint') },
  { path: 'sessions', name: 'sessions', audience: 'sessionsList', screen: screenOf(account, 'Sessions') },
  { path: 'sessions/:session', audience: 'sessionsShow', screen: screenOf(account, 'SessionsSession') },
  { path: 'requests', name: 'requests', audience: 'requestsList', screen: screenOf(account, 'Requests') },
  { path: 'usage', name: 'usage', audience: 'usageShow', screen: screenOf(account, 'Usage') },
  { path: 'billing', name: 'billing', audience: 'invoicesList', screen: screenOf(account, 'Billing') },
  { path: 'billing/invoices/:month', audience: 'invoicesShow', screen: screenOf(account, 'BillingInvoice') },
  { path: 'members', name: 'members', audience: 'membersList', screen: screenOf(account, 'Members') },
  { path: 'settings', name: 'settings', audience: 'accountsRename', screen: screenOf(account, 'Settings') },
  { path: 'operator/*', name: 'operator', audience: 'operator', screen: screenOf(tools, 'Operator') },
  { path: 'profile', audience: 'person', screen: screenOf(account, 'Profile') },
  { path: 'profile/email', audience: 'person', screen: screenOf(account, 'ProfileNewEmail') },
  { path: 'sign-in', audience: 'anyone', screen: screenOf(signIn, 'SignIn') },
  { path: 'sign-up', audience: 'anyone', screen: screenOf(signIn, 'SignUp') },
  { path: 'sign-up/confirm', audience: 'anyone', screen: screenOf(signIn, 'Confirm') },
  { path: 'reset', audience: 'anyone', screen: screenOf(signIn, 'Reset') },
  { path: 'reset/confirm', audience: 'anyone', screen: screenOf(signIn, 'NewPassword') },
  { path: 'join', audience: 'anyone', screen: screenOf(signIn, 'Join') },
];

/** Loads the script of the page at an address while the profile loads. The page itself shows a failure. */
export const prepare = (address: string): void =>
  void pages
    .find(({ path }) => match(`/console/${path}`, address))
    ?.screen.load()
    .catch(() => undefined);

/** The address of a page without parameters. */
export const addressOf = (path: string): string =>
  `/console/${path.replace(/\/?\*?$/, '')}`.replace(/\/$/, '');

/** Whether the navigation of a person lists a page. */
export function mayOpen(
  audience: Audience,
  { profile, may }: Pick<ReturnType<typeof useConsole>, 'profile' | 'may'>,
): boolean {
  if (audience === 'anyone') return true;
  if (audience === 'person') return profile !== undefined;
  if (audience === 'operator') return profile?.isOperator === true;
  return may(audience);
}

/** A page for those who may open it. Others sign in first, and come back. */
export function Guarded({ audience, screen, path, name: _name, ...params }: ConsolePage) {
  const state = useConsole();
  const mustSignIn = audience !== 'anyone' && !state.profile;
  useEffect(() => {
    if (!mustSignIn) return;
    const { pathname, search, hash } = window.location;
    void navigate(`/console/sign-in?next=${encodeURIComponent(pathname + search)}${hash}`, { replace: true });
  }, [mustSignIn]);
  if (mustSignIn) return <Loading label={state.texts.shell.loading} />;
  if (!mayOpen(audience, state)) return <Missing />;
  const key = `${path} ${ownerOf(audience, state)}`;
  return <Scripted key={key} screen={screen} params={params as unknown as Params} />;
}

/** The person and the account whose data a page shows. Another person or account starts the page anew. */
function ownerOf(audience: Audience, { profile, account }: ReturnType<typeof useConsole>): string {
  // The pages for signing in stay as they are while the person signs in.
  if (audience === 'anyone') return '';
  const isOfPerson = audience === 'person' || audience === 'operator';
  return `${profile?.userId} ${isOfPerson ? '' : account?.accountId}`;
}

/** Loads the script of a page, unless it is there. */
function Scripted({ screen, params }: { screen: Screen; params: Params }) {
  const { loading, retry } = useConsole().texts.shell;
  const [Shown, setShown] = useState(() => screen.shown);
  const script = useAction(async () => {
    const loaded = await screen.load();
    setShown(() => loaded);
  });
  const failure = useErrorText(script.error);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it loads once
  useEffect(() => {
    if (!Shown) script.run();
  }, []);
  if (Shown) return <Shown params={params} />;
  if (failure === undefined) return <Loading label={loading} />;
  return <Message text={failure} action={retry} onAction={() => script.run()} />;
}
