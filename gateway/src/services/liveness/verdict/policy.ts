/** How strictly a verdict judges: the part of a session's policy that the rules read. The rules state what it changes. */
import { type Level, policyOf, type SessionPolicy } from '../session/session-policy';

export interface Policy {
  /** `strict` applies further rules, which refuse more attacks and more bona fide presentations. */
  readonly level: Level;
  /** Least band of a live verdict, 0.5 to 0.97. The signs with a lower band refuse. */
  readonly minConfidence: number;
  /** Refuses a camera whose label is that of a virtual camera. A label is easily changed. */
  readonly refuseVirtualCamera: boolean;
  /** Refuses an attempt whose face does not reflect the colors of the page. */
  readonly requireLight: boolean;
}

export const verdictPolicyOf = ({
  level,
  minConfidence,
  virtualCameras,
  lightChallenge,
}: SessionPolicy): Policy => ({
  level,
  minConfidence,
  refuseVirtualCamera: virtualCameras === 'refuse',
  requireLight: lightChallenge === 'required',
});

/** The policies that a level stands for. */
export const policies: Readonly<Record<Level, Policy>> = {
  standard: verdictPolicyOf(policyOf({ level: 'standard' })),
  strict: verdictPolicyOf(policyOf({ level: 'strict' })),
};
