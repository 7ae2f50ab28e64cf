/**
 * Limits on guesses, on mails and on calls that take long. Each party has a budget for each subject, so that nobody uses up
 * the attempts of somebody else. Strangers to a subject share one more, so that many addresses guess no more than one.
 */

import { ConsoleError } from '../../errors';
import { sourceOf } from '../../formats/addresses';
import { hashKey } from '../keys/api-key';
import type { AttemptStore } from '../keys/failed-attempts';
import type { Party } from './known-clients';
import { linkOf } from './tickets';

const [minute, hour] = [60_000, 60 * 60_000];

interface Window {
  readonly most: number;
  readonly ms: number;
}

interface Limit {
  /** Limits of one group share the counter of a party. */
  readonly group: string;
  /** Limit of attempts at one subject, by each party and by all strangers together. */
  readonly subject: Window;
  /** Limits one party for all subjects together. It is higher because many people may share an address. */
  readonly party: Window;
}

const passwords: Limit = {
  group: 'password',
  subject: { most: 10, ms: 15 * minute },
  party: { most: 50, ms: 15 * minute },
};
const codes: Limit = {
  group: 'code',
  subject: { most: 5, ms: 15 * minute },
  party: { most: 50, ms: 15 * minute },
};
const mails: Limit = {
  group: 'mail',
  subject: { most: 5, ms: hour },
  party: { most: 30, ms: hour },
};

/** Each purpose has a budget of its own: one that is used up leaves the others. */
const limits = {
  password: passwords,
  currentPassword: passwords,
  code: codes,
  newCode: codes,
  signUpMail: mails,
  resetMail: mails,
  newEmailMail: mails,
  invitationMail: mails,
} as const satisfies Record<string, Limit>;
type Purpose = keyof typeof limits;

/** The estimate of a password takes a third of a second of the gateway's only thread. */
const newPassword = {
  subject: { most: 20, ms: 15 * minute },
  source: { most: 100, ms: 15 * minute },
  /** The first choices of a person do not count at the address, so that nobody else there uses them up. */
  free: 3,
};
/** Each account has a quota on the free plan for each month, so that a person must not make one after another. */
const newAccount: Window = { most: 2, ms: 31 * 24 * hour };
const anonymous: Window = { most: 100, ms: 5 * minute };
/** One change a second is more than people need. The audit log is bounded, so a faster script would displace its entries. */
const change: Window = { most: 300, ms: 5 * minute };

/**
 * Five reads a second, which several open pages do not make. A list of 200 sessions takes 40 ms of the gateway's only
 * thread.
 */
const read: Window = { most: 1_500, ms: 5 * minute };

/** Each may read the whole log or ledger of an account, which takes up to half a second. */
const search: Window = { most: 60, ms: 5 * minute };

export class GuessLimits {
  constructor(
    private readonly store: AttemptStore,
    private readonly secret: string,
  ) {}

  /**
   * Counts one attempt.
   * @param subject a user or an email address
   * @throws ConsoleError TOO_MANY_ATTEMPTS, ApiError SERVICE_UNAVAILABLE
   */
  async count(purpose: Purpose, subject: string, party: Party): Promise<void> {
    const leftMs = await this.waitMs(purpose, subject, party);
    if (leftMs > 0) throw tooMany(leftMs);
  }

  /**
   * Counts one mail with a link that anybody may ask for.
   * @param subject its email address
   * @returns false if strangers have used up their mails: those have links that still work, so another adds nothing
   * @throws ConsoleError TOO_MANY_ATTEMPTS by this party, ApiError SERVICE_UNAVAILABLE
   */
  async mayMail(purpose: 'signUpMail' | 'resetMail', subject: string, party: Party): Promise<boolean> {
    return (await this.waitMs(purpose, subject, party)) === 0;
  }

  /**
   * Counts one choice of a password by somebody who is signed in or has a mailed link.
   * @throws ConsoleError TOO_MANY_ATTEMPTS, ApiError SERVICE_UNAVAILABLE
   */
  async countNewPassword(email: string, address: string): Promise<void> {
    const { subject, source, free } = newPassword;
    const choices = await this.add(`newPassword:subject:${email}`, subject);
    if (choices > free) await this.add(`newPassword:source:${sourceOf(address)}`, source);
  }

  /**
   * Counts one account that a person creates after the sign-up.
   * @throws ConsoleError TOO_MANY_ATTEMPTS, ApiError SERVICE_UNAVAILABLE
   */
  async countNewAccount(userId: string): Promise<void> {
    await this.add(`newAccount:target:${userId}`, newAccount);
  }

  /**
   * Counts one call that stores something for anybody.
   * @param visitor a browser or an address
   * @throws ConsoleError TOO_MANY_ATTEMPTS, ApiError SERVICE_UNAVAILABLE
   */
  async countAnonymous(visitor: string): Promise<void> {
    await this.add(`anonymous:${visitor}`, anonymous);
  }

  /**
   * Counts one call that stores something for the holder of a mailed link.
   * @param secret of the link
   * @throws ConsoleError TOO_MANY_ATTEMPTS, ApiError SERVICE_UNAVAILABLE
   */
  async countLink(secret: string): Promise<void> {
    await this.add(`anonymous:link:${linkOf(secret).link}`, anonymous);
  }

  /**
   * Counts one call by which a person may change something.
   * @throws ConsoleError TOO_MANY_ATTEMPTS, ApiError SERVICE_UNAVAILABLE
   */
  async countChange(userId: string): Promise<void> {
    await this.add(`change:target:${userId}`, change);
  }

  /**
   * Counts one call by which a person only reads.
   * @throws ConsoleError TOO_MANY_ATTEMPTS, ApiError SERVICE_UNAVAILABLE
   */
  async countRead(userId: string): Promise<void> {
    await this.add(`read:target:${userId}`, read);
  }

  /**
   * Counts one search of a person.
   * @throws ConsoleError TOO_MANY_ATTEMPTS, ApiError SERVICE_UNAVAILABLE
   */
  async countSearch(userId: string): Promise<void> {
    await this.add(`search:target:${userId}`, search);
  }

  /**
   * @returns how long strangers to the subject wait; 0 if the attempt is admitted
   * @throws ConsoleError TOO_MANY_ATTEMPTS by this party
   */
  private async waitMs(purpose: Purpose, subject: string, { name, isKnown }: Party): Promise<number> {
    const { group, party, subject: ofSubject } = limits[purpose];
    // A party above its limit can neither use up the budget of strangers nor fill the store with counters.
    await this.add(`${group}:${name}`, party);
    await this.add(`${purpose}:${name}:${subject}`, ofSubject);
    // The same work for known parties, whom the time of a response would reveal to others at their address.
    const whose = isKnown ? 'acquaintances' : 'strangers';
    const { count, leftMs } = await this.counted(`${purpose}:${whose}:${subject}`, ofSubject);
    return count > ofSubject.most && !isKnown ? leftMs : 0;
  }

  /** @returns the number of attempts, this one included. @throws ConsoleError TOO_MANY_ATTEMPTS */
  private async add(name: string, window: Window): Promise<number> {
    const { count, leftMs } = await this.counted(name, window);
    if (count > window.most) throw tooMany(leftMs);
    return count;
  }

  private counted(name: string, window: Window) {
    return this.store.countAttempt(hashKey(`console ${name}`, this.secret), window);
  }
}

const tooMany = (ms: number) => new ConsoleError('TOO_MANY_ATTEMPTS', Math.ceil(ms / 1_000));
