/**
 * Judges whether a live person was in front of the camera, from the evidence of one attempt alone. The rules name every
 * threshold and its basis.
 */

import type { LivenessResult } from '@presenza/contract/client/types.d.ts';
import type { Evidence } from '../capture/evidence';
import { fullConfidence } from '../session/session';
import { type Measurements, measure } from './measurements';
import type { Policy } from './policy';
import { type RefusalName, refusals, type SignName, signs } from './rules';

export interface Verdict extends LivenessResult {
  /** The band of the attempt, and no probability: 0 after a refusal, otherwise the lowest band of its signs. */
  readonly confidence: number;
  /** The rules that refused; empty for a live verdict. */
  readonly reasons: readonly RefusalName[];
  /** For the operator only. */
  readonly measures: Measurements;
}

/** Whether a rule takes part in the verdict. */
type RuleFilter = (name: RefusalName) => boolean;

const allRules: RuleFilter = () => true;

/** @param isApplied for evidence that lacks what some rules need; by default, all rules judge */
export function judge(evidence: Evidence, policy: Policy, isApplied = allRules): Verdict {
  const measures = measure(evidence);
  const reasons = names(refusals).filter((name) => isApplied(name) && refusals[name](measures, policy));
  const isLive = reasons.length === 0;
  const shown = names(signs).filter((name) => isApplied(name) && signs[name].isShown(measures));
  return { isLive, confidence: isLive ? bandOf(shown) : 0, reasons, measures };
}

const bandOf = (shown: readonly SignName[]): number =>
  Math.min(fullConfidence, ...shown.map((name) => signs[name].confidence));

const names = <Name extends string>(table: Readonly<Record<Name, unknown>>) => Object.keys(table) as Name[];
