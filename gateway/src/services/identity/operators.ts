/** People who may use the operators' operations in the console. */
import { Refusal } from '../../errors/refusal';
import { emailOf } from './email';
import { Refused } from './refused';
import type { UserStore } from './users';

export interface OperatorStore {
  add(userId: string): Promise<void>;
  remove(userId: string): Promise<void>;
  has(userId: string): Promise<boolean>;
  list(): Promise<readonly string[]>;
}

export interface OperatorView {
  readonly userId: string;
  readonly email: string;
}

export class Operators {
  constructor(
    private readonly store: OperatorStore,
    private readonly users: Pick<UserStore, 'find' | 'findByEmail'>,
  ) {}

  has(userId: string): Promise<boolean> {
    return this.store.has(userId);
  }

  /** @throws Refusal if nobody has signed up with this address */
  async add(email: string): Promise<OperatorView> {
    const user = await this.userOf(email);
    await this.store.add(user.userId);
    return user;
  }

  /** @throws Refusal if nobody has signed up with this address */
  async remove(email: string): Promise<OperatorView> {
    const user = await this.userOf(email);
    await this.store.remove(user.userId);
    return user;
  }

  /** Of a person who is erased. */
  async forget(userId: string): Promise<void> {
    await this.store.remove(userId);
  }

  async list(): Promise<OperatorView[]> {
    const found = await Promise.all((await this.store.list()).map((id) => this.users.find(id)));
    return found
      .flatMap((user) => (user ? [{ userId: user.id, email: user.email }] : []))
      .sort((a, b) => a.email.localeCompare(b.email));
  }

  private async userOf(text: string): Promise<OperatorView> {
    const user = await this.users.findByEmail(normalized(text));
    if (!user) throw new Refusal('Nobody has signed up with this email address', 'NOT_FOUND');
    return { userId: user.id, email: user.email };
  }
}

/** @throws Refusal */
function normalized(text: string): string {
  try {
    return emailOf(text);
  } catch (error) {
    throw error instanceof Refused ? new Refusal(error.message) : error;
  }
}
