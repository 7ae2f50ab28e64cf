/** The calls about accounts and the people in them. A new group needs a line here and nowhere else. */
import { accountCalls } from './accounts';
import { billingCalls } from './billing';
import type { Call } from './call';
import { formerAccessCalls } from './former-access';
import { invitationCalls } from './invitations';
import { memberCalls } from './members';

export const groupedCalls: readonly Call[] = [
  ...memberCalls,
  ...invitationCalls,
  ...formerAccessCalls,
  ...accountCalls,
  ...billingCalls,
];
