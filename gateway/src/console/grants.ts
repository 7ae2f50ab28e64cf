/** The roles that may use operators' operations for their own account. No role may use an operation that is not listed. */
import { type Role, roles } from '../services/identity/roles';

export const everyone: readonly Role[] = roles;
const makers: readonly Role[] = ['owner', 'developer'];
export const payers: readonly Role[] = ['owner', 'billing'];
const readers: readonly Role[] = ['owner', 'developer', 'viewer'];

/** By the operation's name on the command line. */
export const grants: Readonly<Record<string, readonly Role[]>> = {
  'accounts show': everyone,
  'keys list': readers,
  'keys create': makers,
  'keys roll': makers,
  'keys revoke': makers,
  'webhooks list': readers,
  'webhooks deliveries': readers,
  // Its payload has measurements, which viewers do not see.
  'webhooks delivery': makers,
  'webhooks create': makers,
  'webhooks update': makers,
  'webhooks delete': makers,
  'webhooks roll-secret': makers,
  'webhooks enable': makers,
  'webhooks disable': makers,
  'webhooks test': makers,
  'webhooks replay': makers,
  'sessions list': readers,
  'sessions show': readers,
  'sessions audit-image': ['owner'],
  'sessions cancel': makers,
  'sessions erase': makers,
  'requests list': readers,
  'usage show': everyone,
  'usage verify': everyone,
  'usage export': payers,
  'invoices list': payers,
  'invoices show': payers,
};

/**
 * The data of an operation for a role. The URLs of many receivers contain a secret token: only people who may change
 * webhooks see more than the origin.
 * @param role undefined for operators
 */
export function shownTo(role: Role | undefined, words: string, data: unknown): unknown {
  if (words !== 'webhooks list' || role === undefined || makers.includes(role)) return data;
  return (data as { readonly url: string }[]).map((endpoint) => {
    const { origin } = new URL(endpoint.url);
    return { ...endpoint, url: origin, urlHidden: true };
  });
}
