/**
 * The roles that may use operators' operations for their own account. No role may use an operation that is not listed.
 * `property-grants.ts` decides about the values that an operation sets and shows.
 */
import { rolesThat } from '../services/rights/property-grants';
import { type Role, roles } from '../services/rights/roles';

export const everyone: readonly Role[] = roles;
export const owners: readonly Role[] = ['owner'];
const makers: readonly Role[] = ['owner', 'developer'];
export const payers: readonly Role[] = ['owner', 'billing'];
const readers: readonly Role[] = ['owner', 'developer', 'viewer'];

/**
 * Operations for members who signed in within the last minutes, because they show a secret that outlives the sign-in. By
 * the operation's name on the command line.
 */
export const recentGrants: ReadonlySet<string> = new Set([
  'keys create',
  'keys roll',
  'webhooks create',
  'webhooks roll-secret',
]);

/** By the operation's name on the command line. */
export const grants: Readonly<Record<string, readonly Role[]>> = {
  'accounts show': everyone,
  'keys list': readers,
  'keys create': makers,
  'keys roll': makers,
  'keys revoke': makers,
  'webhooks list': readers,
  'webhooks deliveries': readers,
  'webhooks dead-letters': readers,
  'webhooks delivery': rolesThat('read', 'delivery', 'request'),
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
  'sessions audit-image': rolesThat('read', 'session', 'auditImage'),
  'sessions cancel': makers,
  'sessions erase': makers,
  'requests list': readers,
  'requests show': readers,
  'requests count': readers,
  'requests export': readers,
  'usage show': everyone,
  'usage verify': everyone,
  'usage export': payers,
  'invoices list': payers,
  'invoices show': payers,
};
