/** Why an attempt failed, for the account's backend. */
import type { Guidance } from '../capture/guidance';
import { type FailureReason, foremostReason } from '../session/foremost-reason';
import type { RefusalName } from './rules';

/** Refusals that users cause without any attack. Every other refusal is a suspicion of a spoof. */
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
export const failureReasonOf = (refused: readonly RefusalName[]): FailureReason =>
  foremostReason(refused.map((name) => harmless[name] ?? 'spoofSuspected')) ?? 'spoofSuspected';

/** The failure reason of an attempt with incomplete steps. @param last guidance */
export function failureReasonOfUnfinished(last: Guidance): FailureReason {
  if (last === 'noFace') return 'gaveUp';
  if (last === 'severalFaces') return 'otherPerson';
  return last === 'tooDark' || last === 'tooBright' ? 'light' : 'movement';
}
