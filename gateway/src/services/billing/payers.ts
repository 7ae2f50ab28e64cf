import type { Identity } from '../identity/identity';
import type { Mail } from '../identity/mail';

/** Sends a mail to everybody in an account whom its bill concerns. */
export async function mailPayers(
  { members, users, mailer }: Pick<Identity, 'members' | 'users' | 'mailer'>,
  accountId: string,
  mailTo: (email: string) => Mail,
): Promise<void> {
  const all = Object.entries(await members.membersOf(accountId));
  const payers = all.filter(([, role]) => role === 'owner' || role === 'billing');
  for (const [userId] of payers) {
    const user = await users.find(userId);
    if (user) mailer.send(mailTo(user.email));
  }
}
