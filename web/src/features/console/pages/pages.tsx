/** The pages of the console, each with its script, its address and the roles that may open it. */
import { match } from '@gatsbyjs/reach-router';
import { navigate } from 'gatsby';
import { type ComponentType, useEffect, useState } from 'react';
import { Loading, Message, useErrorText } from '../parts/message';
import { Missing } from '../parts/missing';
import { CallError } from '../state/api';
import { type Role, useConsole } from '../state/context';
import type { Params } from '../state/params';
import { useAction } from '../state/use-call';
import type { Words } from '../state/words';

/** The people who may open a page: anyone; people who are signed in; or members of the chosen account, with these roles. */
type Audience = 'anyone' | 'person' | 'operator' | readonly Role[];

type Shown = ComponentType<{ params: Params }>;

/** A screen of a script that loads when it is wanted. React's `lazy` shows its placeholder for at least 0.3 s. */
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
  readonly name?: keyof Words['shell']['pages'];
}

// Few scripts, because every page of the site loads a list of all scripts.
const people = () => import('./people');
const account = () => import('./account');
const tools = () => import('./tools');

function of<Name extends string>(script: () => Promise<Readonly<Record<Name, Shown>>>, name: Name): Screen {
  const screen: Screen = {
    load: async () => {
      const found = await script().catch(() => {
        throw new CallError('UNREACHABLE', '');
      });
      screen.shown = found[name];
      return screen.shown;
    },
  };
  return screen;
}

const everyone: readonly Role[] = ['owner', 'developer', 'billing', 'viewer'];
const makers: readonly Role[] = ['owner', 'developer'];
const readers: readonly Role[] = ['owner', 'developer', 'viewer'];

export const pages: readonly ConsolePage[] = [
  { path: '/', name: 'home', audience: everyone, screen: of(account, 'Home') },
  {
    path: 'playground',
    name: 'playground',
    audience: makers,
    screen: of(tools, 'Playground'),
  },
  { path: 'keys', name: 'keys', audience: readers, screen: of(account, 'Keys') },
  { path: 'webhooks', name: 'webhooks', audience: readers, screen: of(account, 'Webhooks') },
  { path: 'webhooks/:webhook', audience: readers, screen: of(account, 'WebhooksEndpoint') },
  { path: 'sessions', name: 'sessions', audience: readers, screen: of(account, 'Sessions') },
  { path: 'sessions/:session', audience: readers, screen: of(account, 'SessionsSession') },
  { path: 'requests', name: 'requests', audience: readers, screen: of(account, 'Requests') },
  { path: 'usage', name: 'usage', audience: everyone, screen: of(account, 'Usage') },
  {
    path: 'billing',
    name: 'billing',
    audience: ['owner', 'billing'],
    screen: of(account, 'Billing'),
  },
  {
    path: 'billing/invoices/:month',
    audience: ['owner', 'billing'],
    screen: of(account, 'BillingInvoice'),
  },
  { path: 'members', name: 'members', audience: everyone, screen: of(account, 'Members') },
  {
    path: 'settings',
    name: 'settings',
    audience: ['owner'],
    screen: of(account, 'Settings'),
  },
  {
    path: 'operator/*',
    name: 'operator',
    audience: 'operator',
    screen: of(tools, 'Operator'),
  },
  { path: 'profile', audience: 'person', screen: of(account, 'Profile') },
  { path: 'profile/email', audience: 'person', screen: of(account, 'ProfileNewEmail') },
  { path: 'sign-in', audience: 'anyone', screen: of(people, 'SignIn') },
  { path: 'sign-up', audience: 'anyone', screen: of(people, 'SignUp') },
  { path: 'sign-up/confirm', audience: 'anyone', screen: of(people, 'Confirm') },
  { path: 'reset', audience: 'anyone', screen: of(people, 'Reset') },
  { path: 'reset/confirm', audience: 'anyone', screen: of(people, 'NewPassword') },
  { path: 'join', audience: 'anyone', screen: of(people, 'Join') },
];

/** Loads the script of the page at an address while the profile loads. The page itself shows a failure. */
export const prepare = (address: string): void =>
  void pages
    .find(({ path }) => match(`/console/${path}`, address))
    ?.screen.load()
    .catch(() => undefined);

/** Whether the navigation of a person lists a page. */
export function mayOpen(
  audience: Audience,
  { profile, account }: Pick<ReturnType<typeof useConsole>, 'profile' | 'account'>,
) {
  if (audience === 'anyone') return true;
  if (audience === 'person') return profile !== undefined;
  if (audience === 'operator') return profile?.isOperator === true;
  return account !== undefined && audience.includes(account.role);
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
  if (mustSignIn) return <Loading label={state.words.shell.loading} />;
  if (!mayOpen(audience, state)) return <Missing />;
  // Another account starts its pages anew.
  const key = `${path} ${typeof audience === 'string' ? '' : state.account?.accountId}`;
  return <Scripted key={key} screen={screen} params={params as unknown as Params} />;
}

/** Loads the script of a page, unless it is there. */
function Scripted({ screen, params }: { screen: Screen; params: Params }) {
  const { loading, retry } = useConsole().words.shell;
  const [Shown, setShown] = useState(() => screen.shown);
  const script = useAction(async () => {
    const loaded = await screen.load();
    setShown(() => loaded);
  });
  const failure = useErrorText(script.error);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it loads once
  useEffect(() => {
    if (!Shown) void script.run();
  }, []);
  if (Shown) return <Shown params={params} />;
  if (failure === undefined) return <Loading label={loading} />;
  return <Message text={failure} action={retry} onAction={() => void script.run()} />;
}
