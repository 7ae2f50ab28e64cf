/** Why an attempt failed, for the account's backend. */
import type { Guidance } from '../capture/guidance';
import { type FailureReason, foremost } from '../session/failure-reasons';
import type { RefusalName } from './rules';

/**
 * Refusals that users cause without any attack. Every other refusal, and a confidence that is too low, is a suspicion of a
 * spoof.
 */
const harmless: Readonly<Partial<Record<RefusalName, FailureReason>>> = {
  tooFewFrames: 'movement',
  gapInTime: 'movement',
  faceAway: 'movement',
  missedTurn: 'movement',
  unaskedTurn: 'movement',
  sideUnseen: 'movement',
  noLight: 'light',
  severalFaces: 'otherPerson',
  otherPerson: 'otherPerson',
};

/** @param refused the reasons of a verdict, at least one */
export const failureReasonOf = (refused: readonly (RefusalName | 'risk')[]): FailureReason =>
  foremost(refused.map((name) => (name === 'risk' ? undefined : harmless[name]) ?? 'spoofSuspected')) ??
  'spoofSuspected';

/** For an attempt with incomplete steps. @param last guidance */
export function failureReasonOfUnfinished(last: Guidance): FailureReason {
  if (last === 'noFace') return 'gaveUp';
  if (last === 'severalFaces') return 'otherPerson';
  return last === 'tooDark' || last === 'tooBright' ? 'light' : 'movement';
}
