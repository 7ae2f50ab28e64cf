/** Names of accounts that nobody has named. */
import { randomInt } from 'node:crypto';

/** Letters and digits that nobody confuses with each other. */
const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const length = 4;

/** Says nothing about a person, because the name outlives them in the account of others. It need not be unique. */
export const newAccountName = (): string =>
  `Account ${Array.from({ length }, () => letters[randomInt(letters.length)]).join('')}`;
