/**
 * The errors of the console's API. Their codes are apart from those of the public API, whose clients never see them.
 */
export const consoleCatalogue = {
  SIGNED_OUT: { status: 401, message: 'Sign in first.' },
  WRONG_CREDENTIALS: { status: 401, message: 'The email address or the password is wrong.' },
  CODE_REFUSED: { status: 401, message: 'The code is wrong or was already used.' },
  PASSKEY_REFUSED: { status: 401, message: 'The passkey was not accepted.' },
  NOT_ALLOWED: { status: 403, message: 'Your role does not allow this.' },
  RECENT_SIGN_IN_NEEDED: { status: 403, message: 'Sign in again to confirm that it is you.' },
  SECOND_FACTOR_NEEDED: {
    status: 403,
    message:
      'Sign in with a passkey, or with a code from an authenticator app. You add them in your profile.',
  },
  FOREIGN_ORIGIN: { status: 403, message: 'Only pages of the console can make this call.' },
  NOT_FOUND: { status: 404, message: 'This does not exist, or you have no access to it.' },
  NOT_CONFIRMED: { status: 400, message: 'The name does not match the account.' },
  WEAK_PASSWORD: {
    status: 400,
    message: 'This password is too easy to guess. Choose a longer one, or several unrelated words.',
  },
  INVALID_EMAIL: { status: 400, message: 'Enter a valid email address.' },
  SIGNATURE_REFUSED: { status: 400, message: 'The signature does not match.' },
  LAST_OWNER: { status: 409, message: 'An account needs an owner. Make someone else an owner first.' },
  LAST_SIGN_IN: {
    status: 409,
    message: 'This is your last way to sign in. Set a password or add another passkey first.',
  },
  SAME_PLAN: { status: 409, message: 'The account is already on this plan.' },
  CONTACT_SALES: {
    status: 409,
    message: 'This plan has custom terms. Contact the operator of this service.',
  },
  NO_PAYMENTS: { status: 409, message: 'This account has not paid by card yet.' },
  HAS_ACCOUNT: { status: 409, message: 'You are already a member of an account.' },
  ALREADY_MEMBER: { status: 409, message: 'This person is already a member.' },
  LIMIT_REACHED: {
    status: 409,
    message: 'There are as many as there may be. Remove one that you no longer need first.',
  },
  LINK_INVALID: { status: 410, message: 'This link has expired or was already used. Request a new one.' },
  TOO_MANY_ATTEMPTS: { status: 429, message: 'Too many attempts. Try again later.' },
} as const;

export type ConsoleErrorCode = keyof typeof consoleCatalogue;
