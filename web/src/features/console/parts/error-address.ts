/** Codes of the console alone, which the reference of the API does not have. */
const undocumented = new Set([
  'UNREACHABLE',
  'SIGNED_OUT',
  'NOT_ALLOWED',
  'RECENT_SIGN_IN_NEEDED',
  'SECOND_FACTOR_NEEDED',
]);

/** The address where the reference explains an error code, if it does. */
export const errorAddress = (code: string): string | undefined =>
  undocumented.has(code) ? undefined : `/docs/api-reference/errors#${code.toLowerCase().replace(/_/g, '-')}`;
