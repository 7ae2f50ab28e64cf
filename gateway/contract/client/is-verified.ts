import type { LivenessSession, WebhookEvent } from './types.ts';

export interface Expectation {
  /** Whether your backend created the session with imageToCompare. Take it from your own records. */
  readonly withReference: boolean;
}

/**
 * Whether to let the person in: true for someone live who matches the reference image, if your backend gave one. A live
 * stranger has `isLive: true, isMatch: false`.
 * @param outcome a webhook's event whose signature was verified, or the session as your backend read it
 */
export function isVerified(
  { result, match }: Pick<LivenessSession | WebhookEvent, 'result' | 'match'>,
  { withReference }: Expectation,
): boolean {
  return result?.isLive === true && (match?.isMatch === true || (!withReference && !match));
}
