/** Calls of people who open the link of an invitation. `members join` in `people.ts` uses it up. */
import { openInvitation } from '../services/identity/members';
import { optionsByLink } from '../services/identity/passkeys';
import { type Call, call, unrecorded } from './call';

const ticket = unrecorded('Secret of the link', 64);

export const invitationCalls: readonly Call[] = [
  call<{ ticket: string }>()({
    id: 'invitations show',
    summary: 'The account and the email address of an invitation, and whether the address has a user',
    http: ['POST', '/join/invitation'],
    access: 'anyone',
    changes: false,
    properties: { ticket },
    run: async ({ identity, keys }, { ticket }) => {
      const { email, accountId, role } = await openInvitation(identity, ticket);
      const [account, user] = await Promise.all([
        keys.findAccount(accountId),
        identity.users.findByEmail(email),
      ]);
      return { data: { account: account.name, email, role, hasUser: user !== undefined } };
    },
  }),
  call<{ ticket: string }>()({
    id: 'invitations passkey-options',
    summary: 'Options for the passkey of an invited person who is new',
    http: ['POST', '/join/passkey-options'],
    access: 'anyone',
    changes: false,
    properties: { ticket },
    run: async ({ identity }, { ticket }) => ({
      data: await optionsByLink(identity, 'invitation', ticket),
    }),
  }),
];
