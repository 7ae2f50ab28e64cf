/** Operators help people who lost a device, or whose device is in other hands. */
import { OperatorError } from '../../errors';
import { parseEmail } from './email';
import type { MemberStore } from './member-store';
import type { SignInStore } from './sign-ins';
import type { User, UserStore } from './users';

export interface PersonView {
  readonly userId: string;
  readonly email: string;
}

export class People {
  constructor(
    private readonly users: UserStore,
    private readonly signIns: Pick<SignInStore, 'endAll'>,
    private readonly operators: { remove(userId: string): Promise<void> },
    private readonly members: Pick<MemberStore, 'accountsOf'>,
  ) {}

  /** @throws OperatorError if nobody has signed up with this address */
  async find(text: string): Promise<PersonView> {
    const user = await this.users.findByEmail(normalized(text));
    if (!user) throw new OperatorError('Nobody has signed up with this email address', 'NOT_FOUND');
    return { userId: user.id, email: user.email };
  }

  /** Ids of the accounts of a person; none if nobody has signed up with this text. */
  async accountsOf(text: string): Promise<readonly string[]> {
    const email = parseEmail(text);
    const user = email === undefined ? undefined : await this.users.findByEmail(email);
    return user ? this.members.accountsOf(user.id) : [];
  }

  /** @throws OperatorError */
  signOut(email: string): Promise<PersonView> {
    return this.change(email, (user) => user);
  }

  /**
   * Removes passkeys and the authenticator app, and with them the rights of an operator. A mailed link still sets a
   * password.
   * @throws OperatorError
   */
  async resetFactors(email: string): Promise<PersonView> {
    const person = await this.change(email, ({ oneTimePasswords: _, ...user }) => ({
      ...user,
      passkeys: [],
    }));
    await this.operators.remove(person.userId);
    return person;
  }

  private async change(email: string, change: (user: User) => User): Promise<PersonView> {
    const person = await this.find(email);
    await this.users.update(person.userId, (user) => ({ ...change(user), epoch: user.epoch + 1 }));
    await this.signIns.endAll(person.userId);
    return person;
  }
}

/** The address that an operator gives, parsed. @throws OperatorError */
export function normalized(text: string): string {
  const email = parseEmail(text);
  if (email === undefined) throw new OperatorError('Enter a valid email address.');
  return email;
}
