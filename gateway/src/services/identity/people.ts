/** The help of operators for people who lost a device, or whose device is in other hands. */
import { Refusal } from '../../errors/refusal';
import { Refused } from '../rights/refused';
import { emailOf } from './email';
import type { MemberStore } from './members';
import type { OperatorStore } from './operators';
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
    private readonly operators: Pick<OperatorStore, 'remove'>,
    private readonly members: Pick<MemberStore, 'accountsOf'>,
  ) {}

  /** @throws Refusal if nobody has signed up with this address */
  async find(text: string): Promise<PersonView> {
    const user = await this.users.findByEmail(normalized(text));
    if (!user) throw new Refusal('Nobody has signed up with this email address', 'NOT_FOUND');
    return { userId: user.id, email: user.email };
  }

  /** Ids of the accounts of a person; none if nobody has signed up with this text. */
  async accountsOf(text: string): Promise<readonly string[]> {
    const person = await this.find(text).catch((error) => {
      if (!(error instanceof Refusal)) throw error;
    });
    return person ? this.members.accountsOf(person.userId) : [];
  }

  /** @throws Refusal */
  signOut(email: string): Promise<PersonView> {
    return this.change(email, (user) => user);
  }

  /**
   * Removes passkeys and the authenticator app, and with them the rights of an operator. A mailed link still sets a
   * password.
   * @throws Refusal
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

/** @throws Refusal */
export function normalized(text: string): string {
  try {
    return emailOf(text);
  } catch (error) {
    throw error instanceof Refused ? new Refusal(error.message) : error;
  }
}
