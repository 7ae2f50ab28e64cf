/** Calls about the keys and webhook endpoints of people who left, or whose role changed. */
import { account } from '../admin/operation';
import { formerAccess, revokeFormerAccess } from '../services/accounts/former-access';
import { type Call, call, text } from './call';
import { owners } from './grants';

const path = '/accounts/:account/former-access';

export const formerAccessCalls: readonly Call[] = [
  call<{ account: string }>()({
    id: 'former-access list',
    summary: 'The keys and webhook endpoints whose creators left, or may not create them anymore',
    http: ['GET', path],
    access: owners,
    properties: { account },
    run: async (services, { account }) => ({ data: { people: await formerAccess(services, account) } }),
  }),
  call<{ account: string; userId: string }>()({
    id: 'former-access revoke',
    summary: 'Revokes these keys of one person, and deletes the webhook endpoints',
    http: ['DELETE', `${path}/:userId`],
    access: owners,
    // Each key and each endpoint has a record of its own.
    changes: false,
    properties: { account, userId: text('Id of the user', 64) },
    run: async (services, { account, userId }, _caller, { user }) => ({
      data: await revokeFormerAccess(services, account, userId, `user:${user.id}`),
    }),
  }),
];
