import type { LivenessFailureReason } from '@presenza/contract/client/types.d.ts';

export type FailureReason = LivenessFailureReason;

/** The first one that applies counts: an attacker must not hide an attack behind a last attempt in the dark. */
const byPrecedence: readonly FailureReason[] = [
  'spoofSuspected',
  'otherPerson',
  'light',
  'movement',
  'gaveUp',
];

/** The reason to report if there are several. @returns undefined for none */
export const foremostReason = (reasons: readonly (FailureReason | undefined)[]): FailureReason | undefined =>
  byPrecedence.find((reason) => reasons.includes(reason));
