/** Calls about an account as a whole. */
import limits from '@presenza/contract/limits.json';
import { account, afterTime, type PageInput, page } from '../admin/operation';
import { ConsoleError } from '../errors';
import { accountLog } from '../services/accounts/account-log';
import { checklistOf } from '../services/accounts/checklist';
import { rolesThat } from '../services/rights/property-grants';
import { type Call, call, text, unrecorded } from './call';
import { everyone, owners } from './grants';

export const accountCalls: readonly Call[] = [
  call()({
    id: 'accounts begin',
    summary: 'Creates an account for a person who is a member of none',
    http: ['POST', '/accounts'],
    access: 'person',
    run: async ({ signUp }, _input, _caller, { user }) => ({ data: await signUp.createAccount(user) }),
  }),
  call<{ account: string; name: string }>()({
    id: 'accounts rename',
    summary: 'Gives the account another name',
    http: ['PATCH', '/accounts/:account'],
    access: rolesThat('set', 'account', 'name'),
    // Not recorded, because people name accounts after themselves.
    properties: { account, name: unrecorded('Display name', limits.accounts.maxNameLength) },
    run: async ({ keys }, { account, ...change }) => {
      const { id, name } = await keys.updateAccount(account, change);
      return { data: { accountId: id, name } };
    },
  }),
  call<{ account: string; confirm: string }>()({
    id: 'accounts erase',
    summary: 'Erases the account with everything in it, and mails a receipt to its owners',
    http: ['DELETE', '/accounts/:account'],
    access: owners,
    recent: true,
    // The erasure records itself, without what it erases.
    changes: false,
    properties: { account, confirm: text('Name of the account, to confirm', limits.accounts.maxNameLength) },
    run: async ({ keys, erasure }, { account, confirm }) => {
      if (confirm !== (await keys.findAccount(account)).name) throw new ConsoleError('NOT_CONFIRMED');
      return { data: { receipt: await erasure.eraseAccount(account) } };
    },
  }),
  call<{ account: string } & PageInput>()({
    id: 'accounts audit',
    summary: 'The changes to the account, by whom, newest first',
    http: ['GET', '/accounts/:account/audit'],
    access: owners,
    properties: { account, limit: page.limit, after: afterTime },
    required: ['account'],
    run: async ({ admin: { audit }, members }, { account, ...wanted }) => ({
      data: await accountLog({ audit, members }, account, wanted),
    }),
  }),
  call<{ account: string }>()({
    id: 'accounts checklist',
    summary: 'The first steps that the account has taken',
    http: ['GET', '/accounts/:account/checklist'],
    access: everyone,
    properties: { account },
    run: async ({ admin, identity }, { account }) => ({
      data: await checklistOf(admin, account, identity.now()),
    }),
  }),
];
