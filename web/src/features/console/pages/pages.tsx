/** The pages of the console, each with its script, its address and the roles that may open it. */
import { navigate } from 'gatsby';
import { type ComponentType, type LazyExoticComponent, lazy, Suspense, useEffect } from 'react';
import { Loading } from '../parts/message';
import { Missing } from '../parts/missing';
import { type Role, useConsole } from '../state/context';
import type { Params } from '../state/params';
import type { Words } from '../state/words';

/** The people who may open a page: anyone; people who are signed in; or members of the chosen account, with these roles. */
type Audience = 'anyone' | 'person' | 'operator' | readonly Role[];

type Screen = LazyExoticComponent<ComponentType<{ params: Params }>>;

export interface ConsolePage {
  /** Below /console. */
  readonly path: string;
  readonly audience: Audience;
  readonly screen: Screen;
  /** Its place in the navigation and its title, if it is listed there. */
  readonly name?: keyof Words['shell']['pages'];
}

const people = () => import('./people');
const account = () => import('./account');
const tools = () => import('./tools');

/** A screen of a script that loads when it is shown. */
const of = <Name extends string>(
  script: () => Promise<Readonly<Record<Name, ComponentType<{ params: Params }>>>>,
  name: Name,
): Screen => lazy(async () => ({ default: (await script())[name] }));

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
export function Guarded({ audience, screen: Shown, path: _path, name: _name, ...params }: ConsolePage) {
  const state = useConsole();
  const { loading } = state.words.shell;
  const mustSignIn = audience !== 'anyone' && !state.profile;
  useEffect(() => {
    if (!mustSignIn) return;
    const { pathname, search, hash } = window.location;
    void navigate(`/console/sign-in?next=${encodeURIComponent(pathname + search)}${hash}`, { replace: true });
  }, [mustSignIn]);
  if (mustSignIn) return <Loading label={loading} />;
  if (!mayOpen(audience, state)) return <Missing />;
  return (
    <Suspense fallback={<Loading label={loading} />}>
      {/* Another account starts its pages anew. */}
      <Shown
        key={typeof audience === 'string' ? '' : state.account?.accountId}
        params={params as unknown as Params}
      />
    </Suspense>
  );
}
