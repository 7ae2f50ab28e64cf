import type { LivenessSession, WebhookEvent } from './types.d.ts';

export interface Expectation {
  /** Whether your backend created the session with imageToCompare, from your own records. */
  readonly withReference: boolean;
}

/**
 * Whether to let the user in: true if the user is live and, with a reference image, matches it. A live stranger has
 * `isLive: true, isMatch: false`.
 * @param outcome a webhook event with a verified signature, or the session as your backend read it
 */
export function isVerified(
  { result, match }: Pick<LivenessSession | WebhookEvent, 'result' | 'match'>,
  { withReference }: Expectation,
): boolean {
  return result?.isLive === true && (match?.isMatch === true || (!withReference && !match));
}
