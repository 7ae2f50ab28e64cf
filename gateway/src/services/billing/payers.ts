import type { Identity } from '../identity/identity';
import type { Mail } from '../identity/mail';
import { peopleOf } from '../identity/members';

/** Sends a mail to everybody in an account whom its bill concerns. */
export async function mailPayers(
  identity: Pick<Identity, 'members' | 'users' | 'mailer'>,
  accountId: string,
  mailTo: (email: string) => Mail,
): Promise<void> {
  for (const { email, role } of await peopleOf(identity, accountId)) {
    if (role === 'owner' || role === 'billing') identity.mailer.send(mailTo(email));
  }
}
