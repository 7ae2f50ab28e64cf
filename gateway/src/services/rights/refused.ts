/** A refusal by the console's API. Its codes are apart from those of the public API, which clients of the API never see. */

const statuses = {
  SIGNED_OUT: 401,
  WRONG_CREDENTIALS: 401,
  CODE_REFUSED: 401,
  PASSKEY_REFUSED: 401,
  NOT_ALLOWED: 403,
  RECENT_SIGN_IN_NEEDED: 403,
  SECOND_FACTOR_NEEDED: 403,
  FOREIGN_ORIGIN: 403,
  NOT_FOUND: 404,
  NOT_CONFIRMED: 400,
  WEAK_PASSWORD: 400,
  INVALID_EMAIL: 400,
  SIGNATURE_REFUSED: 400,
  LAST_OWNER: 409,
  SAME_PLAN: 409,
  CONTACT_SALES: 409,
  NO_PAYMENTS: 409,
  ALREADY_MEMBER: 409,
  LIMIT_REACHED: 409,
  LINK_INVALID: 410,
  TOO_MANY_ATTEMPTS: 429,
} as const;

const messages: Readonly<Record<keyof typeof statuses, string>> = {
  SIGNED_OUT: 'Sign in first.',
  WRONG_CREDENTIALS: 'The email address or the password is wrong.',
  CODE_REFUSED: 'The code is wrong or was already used.',
  PASSKEY_REFUSED: 'The passkey was not accepted.',
  NOT_ALLOWED: 'Your role does not allow this.',
  RECENT_SIGN_IN_NEEDED: 'Sign in again to confirm that it is you.',
  SECOND_FACTOR_NEEDED:
    'Sign in with a passkey, or with a code from an authenticator app. You add them in your profile.',
  FOREIGN_ORIGIN: 'Only pages of the console can make this call.',
  NOT_FOUND: 'This does not exist, or you have no access to it.',
  NOT_CONFIRMED: 'The name does not match the account.',
  WEAK_PASSWORD: 'This password is too easy to guess. Choose a longer one, or several unrelated words.',
  INVALID_EMAIL: 'Enter a valid email address.',
  SIGNATURE_REFUSED: 'The signature does not match.',
  LAST_OWNER: 'An account needs an owner. Make someone else an owner first.',
  SAME_PLAN: 'The account is already on this plan.',
  CONTACT_SALES: 'This plan has custom terms. Contact the operator of this service.',
  NO_PAYMENTS: 'This account has not paid by card yet.',
  ALREADY_MEMBER: 'This person is already a member.',
  LIMIT_REACHED: 'You have reached the limit of this account.',
  LINK_INVALID: 'This link has expired or was already used. Request a new one.',
  TOO_MANY_ATTEMPTS: 'Too many attempts. Try again later.',
};

export type RefusedCode = keyof typeof statuses;

export const refusedCodes = Object.keys(statuses) as readonly RefusedCode[];

export class Refused extends Error {
  readonly status: number;

  /** @param retryAfterSeconds for TOO_MANY_ATTEMPTS */
  constructor(
    readonly code: RefusedCode,
    readonly retryAfterSeconds?: number,
  ) {
    super(messages[code]);
    this.status = statuses[code];
  }
}
