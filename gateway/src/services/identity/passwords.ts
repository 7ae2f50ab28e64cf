/** Passwords are hashed with argon2id. */
import { hash, verify } from '@node-rs/argon2';
import brand from '@presenza/contract/brand.json';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import { ApiError, ConsoleError } from '../../errors';

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Characters. NIST SP 800-63B-4 asks for 8 with a second factor and 15 without; the estimate below raises the bar. */
export const passwordLength = { least: 12, most: 128 };
/** zxcvbn's scale from 0 to 4. 2 withstands a hundred million guesses. */
const leastScore = 2;
/** Characters that the estimate reads, because its time grows with the square of the length. */
const estimated = 64;
/** Letters and digits that are left without the words of the service and the person. */
const leastOfOthers = 6;
/** Hashes at once: each takes 19 MiB and a thread of the pool. */
const atOnce = 16;

const estimate = new ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs });

const comparable = (password: string) => password.normalize('NFKC').toLowerCase();

/** Passwords from breaches that are long enough to pass. */
export const breachedIn = (list: readonly string[]): ReadonlySet<string> =>
  new Set(list.filter(({ length }) => length >= passwordLength.least).map(comparable));

const known = breachedIn(common.dictionary['passwords-common'] as readonly string[]);

export class Passwords {
  private underWay = 0;
  /** Hash of a password that nobody has, so that an unknown address takes as long as a known one. */
  private readonly unknown = hash('', cost);

  /** @param breached further passwords to refuse, from `breachedIn` */
  constructor(private readonly breached: ReadonlySet<string> = new Set()) {}

  /** @throws ConsoleError WEAK_PASSWORD */
  check(password: string, email: string): void {
    const { length } = [...password];
    const isFit = length >= passwordLength.least && length <= passwordLength.most;
    const guessable = [brand.slug, email, ...email.split(/[@.+_-]/)];
    const others = guessable.reduce(
      (rest, word) => (word === '' ? rest : rest.replaceAll(word, '')),
      comparable(password),
    );
    const isKnown = [known, this.breached].some((list) => list.has(comparable(password)));
    const isOwn = others.replace(/[^\p{L}\p{N}\p{S}]/gu, '').length < leastOfOthers;
    if (
      !isFit ||
      isKnown ||
      isOwn ||
      estimate.check(password.slice(0, estimated), guessable).score < leastScore
    ) {
      throw new ConsoleError('WEAK_PASSWORD');
    }
  }

  /** @throws ApiError SERVICE_UNAVAILABLE if too many are being hashed */
  hash(password: string): Promise<string> {
    return this.limited(() => hash(password.normalize('NFKC'), cost));
  }

  /**
   * @param hashed undefined for an unknown user or one without a password: takes as long, and does not match.
   * @throws ApiError SERVICE_UNAVAILABLE if too many are being hashed
   */
  async matches(password: string, hashed: string | undefined): Promise<boolean> {
    const matches = await this.limited(async () =>
      verify(hashed ?? (await this.unknown), password.normalize('NFKC')),
    );
    return matches && hashed !== undefined;
  }

  private async limited<T>(work: () => Promise<T>): Promise<T> {
    if (this.underWay >= atOnce) {
      throw new ApiError('SERVICE_UNAVAILABLE', { reason: 'overload', retryAfterSeconds: 1 });
    }
    this.underWay++;
    try {
      return await work();
    } finally {
      this.underWay--;
    }
  }
}
