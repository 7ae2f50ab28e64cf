/** People who may use the operators' operations in the console. */
import { OperatorError } from '../../errors';
import type { People, PersonView } from './people';
import { hasSecondFactor, type User, type UserStore } from './users';

export interface OperatorStore {
  add(userId: string): Promise<void>;
  remove(userId: string): Promise<void>;
  has(userId: string): Promise<boolean>;
  list(): Promise<readonly string[]>;
}

export class Operators {
  constructor(
    private readonly store: OperatorStore,
    private readonly people: Pick<People, 'find'>,
    private readonly users: Pick<UserStore, 'find'>,
  ) {}

  /**
   * Whether a person is an operator now. The grant ends with the last second factor, and only another operator can give
   * it again: otherwise, anyone who knows the password could enroll a factor.
   */
  async has(user: User): Promise<boolean> {
    if (!(await this.store.has(user.id))) return false;
    if (hasSecondFactor(user)) return true;
    await this.store.remove(user.id);
    return false;
  }

  /** Ends the grant of a person whose factors have changed, if none is left. */
  async reconsider(user: User): Promise<void> {
    if (!hasSecondFactor(user)) await this.store.remove(user.id);
  }

  /**
   * Adds a person who has a second factor: otherwise, anyone who knows the password could enroll one.
   * @throws OperatorError if nobody has signed up with this address, or with a password alone
   */
  async add(email: string): Promise<PersonView> {
    const person = await this.people.find(email);
    const user = await this.users.find(person.userId);
    if (!user || !hasSecondFactor(user)) {
      throw new OperatorError(
        'Operators need a passkey or an authenticator app, which people add in their profile',
      );
    }
    await this.store.add(person.userId);
    return person;
  }

  /** @throws OperatorError if nobody has signed up with this address */
  async remove(email: string): Promise<PersonView> {
    const person = await this.people.find(email);
    await this.store.remove(person.userId);
    return person;
  }

  /** Removes the rights of a person who is erased. */
  async forget(userId: string): Promise<void> {
    await this.store.remove(userId);
  }

  async list(): Promise<PersonView[]> {
    const users = await Promise.all((await this.store.list()).map((id) => this.users.find(id)));
    return users
      .flatMap((user) => (user ? [{ userId: user.id, email: user.email }] : []))
      .sort((a, b) => a.email.localeCompare(b.email));
  }
}
