/** The pages of the console, each with its script, its address and the roles that may open it. */
import { navigate } from 'gatsby';
import { type ComponentType, type LazyExoticComponent, lazy, Suspense, useEffect } from 'react';
import { type Role, useConsole } from './context';
import { Loading } from './parts/message';
import { Missing } from './parts/missing';
import type { Words } from './words';

/** The people who may open a page: anyone; people who are signed in; or members of the chosen account, with these roles. */
type Audience = 'anyone' | 'person' | 'operator' | readonly Role[];

/** The parts of the address after a colon, such as `:session`. */
export type Params = Readonly<Record<string, string>>;
type Screen = LazyExoticComponent<ComponentType<{ params: Params }>>;

export interface ConsolePage {
  /** Below /console. */
  readonly path: string;
  readonly audience: Audience;
  readonly screen: Screen;
  /** Its place in the navigation and its title, if it is listed there. */
  readonly name?: keyof Words['shell']['pages'];
}

const everyone: readonly Role[] = ['owner', 'developer', 'billing', 'viewer'];
const makers: readonly Role[] = ['owner', 'developer'];
const readers: readonly Role[] = ['owner', 'developer', 'viewer'];

export const pages: readonly ConsolePage[] = [
  { path: '/', name: 'home', audience: everyone, screen: lazy(() => import('./areas/home')) },
  {
    path: 'playground',
    name: 'playground',
    audience: makers,
    screen: lazy(() => import('./areas/playground')),
  },
  { path: 'keys', name: 'keys', audience: readers, screen: lazy(() => import('./areas/keys')) },
  { path: 'webhooks', name: 'webhooks', audience: readers, screen: lazy(() => import('./areas/webhooks')) },
  { path: 'webhooks/:webhook', audience: readers, screen: lazy(() => import('./areas/webhooks/endpoint')) },
  { path: 'sessions', name: 'sessions', audience: readers, screen: lazy(() => import('./areas/sessions')) },
  { path: 'sessions/:session', audience: readers, screen: lazy(() => import('./areas/sessions/session')) },
  { path: 'requests', name: 'requests', audience: readers, screen: lazy(() => import('./areas/requests')) },
  { path: 'usage', name: 'usage', audience: everyone, screen: lazy(() => import('./areas/usage')) },
  {
    path: 'billing',
    name: 'billing',
    audience: ['owner', 'billing'],
    screen: lazy(() => import('./areas/billing')),
  },
  {
    path: 'billing/invoices/:month',
    audience: ['owner', 'billing'],
    screen: lazy(() => import('./areas/billing/invoice')),
  },
  { path: 'members', name: 'members', audience: everyone, screen: lazy(() => import('./areas/members')) },
  { path: 'settings', name: 'settings', audience: ['owner'], screen: lazy(() => import('./areas/settings')) },
  {
    path: 'operator/*',
    name: 'operator',
    audience: 'operator',
    screen: lazy(() => import('./areas/operator')),
  },
  { path: 'profile', audience: 'person', screen: lazy(() => import('./areas/profile')) },
  { path: 'profile/email', audience: 'person', screen: lazy(() => import('./areas/profile/new-email')) },
  { path: 'sign-in', audience: 'anyone', screen: lazy(() => import('./areas/people/sign-in')) },
  { path: 'sign-up', audience: 'anyone', screen: lazy(() => import('./areas/people/sign-up')) },
  { path: 'sign-up/confirm', audience: 'anyone', screen: lazy(() => import('./areas/people/confirm')) },
  { path: 'reset', audience: 'anyone', screen: lazy(() => import('./areas/people/reset')) },
  { path: 'reset/confirm', audience: 'anyone', screen: lazy(() => import('./areas/people/new-password')) },
  { path: 'join', audience: 'anyone', screen: lazy(() => import('./areas/people/join')) },
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
