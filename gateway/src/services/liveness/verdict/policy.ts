/** How strictly a verdict judges: the part of a session's policy that the rules read. The rules state what it changes. */
import { policyOf, type SessionPolicy } from '../session/policy';

export type Level = SessionPolicy['level'];

export interface Policy {
  /** `strict` applies further rules, which refuse more attacks and more bona fide presentations. */
  readonly level: Level;
  /** Least confidence of a live verdict, 0.5 to 0.97: an attempt without any suspicion has 0.97. */
  readonly minConfidence: number;
  /** Refuses a camera whose label is that of a virtual camera. A label is easily changed. */
  readonly refuseVirtualCamera: boolean;
  /** Refuses an attempt whose face does not reflect the colors of the page. */
  readonly requireLight: boolean;
}

export const judgedBy = ({
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
  standard: judgedBy(policyOf({ level: 'standard' })),
  strict: judgedBy(policyOf({ level: 'strict' })),
};
