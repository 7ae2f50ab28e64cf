import type { SessionPolicy } from '../session/policy';
import type { Policy } from './policy';

/** The part of a session's policy that its verdicts use. */
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
