/** Calls about the people of an account. */
import type { Property } from '../admin/operation';
import { account } from '../admin/operation';
import { maxEmailLength } from '../services/identity/email';
import { type Role, roles } from '../services/rights/roles';
import { type Call, call, text, unrecorded } from './call';
import { everyone, owners } from './grants';

const role: Property = { type: 'string', enum: roles, description: 'Role' };
const userId = text('Id of the user', 64);

export const memberCalls: readonly Call[] = [
  call<{ account: string }>()({
    id: 'members list',
    summary: 'The people of the account',
    http: ['GET', '/accounts/:account/members'],
    access: everyone,
    properties: { account },
    run: async ({ members }, { account }) => ({ data: { members: await members.list(account) } }),
  }),
  call<{ account: string; email: string; role: Role }>()({
    id: 'members invite',
    summary: 'Mails an invitation',
    http: ['POST', '/accounts/:account/members'],
    access: owners,
    recent: true,
    properties: { account, email: unrecorded('Email address', 2 * maxEmailLength), role },
    run: async ({ members }, { account, ...to }, _caller, { user }) => ({
      data: await members.invite(account, user, to),
    }),
  }),
  call<{ account: string }>()({
    id: 'invitations list',
    summary: 'The invitations that nobody has accepted yet',
    http: ['GET', '/accounts/:account/invitations'],
    access: owners,
    properties: { account },
    run: async ({ members }, { account }) => ({
      data: { invitations: await members.invitations(account) },
    }),
  }),
  call<{ account: string; invitationId: string }>()({
    id: 'invitations withdraw',
    summary: 'Ends an invitation: its link no longer works',
    http: ['DELETE', '/accounts/:account/invitations/:invitationId'],
    access: owners,
    properties: { account, invitationId: text('Id of the invitation', 64) },
    run: async ({ members }, { account, invitationId }) => {
      await members.withdraw(account, invitationId);
      return { data: { withdrawn: true } };
    },
  }),
  call<{ account: string; userId: string; role: Role }>()({
    id: 'members update',
    summary: 'Gives a member another role',
    http: ['PATCH', '/accounts/:account/members/:userId'],
    access: owners,
    recent: true,
    properties: { account, userId, role },
    run: async ({ members }, { account, userId, role }) => {
      await members.change(account, userId, role);
      return { data: { userId, role } };
    },
  }),
  call<{ account: string; userId: string }>()({
    id: 'members remove',
    summary: 'Removes a member',
    http: ['DELETE', '/accounts/:account/members/:userId'],
    access: owners,
    recent: true,
    properties: { account, userId },
    run: async ({ members }, { account, userId }) => {
      await members.change(account, userId, undefined);
      return { data: { removed: true } };
    },
  }),
  call<{ account: string }>()({
    id: 'members leave',
    summary: 'Leaves the account, which keeps another owner',
    http: ['POST', '/accounts/:account/leave'],
    access: everyone,
    properties: { account },
    run: async ({ members }, { account }, _caller, { user }) => {
      await members.change(account, user.id, undefined);
      return { data: { left: true } };
    },
  }),
];
