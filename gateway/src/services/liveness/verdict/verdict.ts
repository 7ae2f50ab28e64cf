/**
 * Judges whether a live person was in front of the camera, from the evidence of one attempt alone. The rules name every
 * threshold and its basis.
 */

import type { LivenessResult } from '@presenza/contract/client/types.d.ts';
import type { Evidence } from '../capture/evidence';
import { roundedConfidence } from '../session/confidence';
import { type Measurements, measure } from './measurements';
import type { Policy } from './policy';
import { priorLogOdds, type RefusalName, type RiskName, refusalLogOdds, refusals, risks } from './rules';

export interface Verdict extends LivenessResult {
  /**
   * Probability of a live user, 0 to 1, if 3 of 100 presentations that no rule refuses are attacks and the risks are
   * independent: 0.97 without any suspicion, below 0.02 after a refusal.
   */
  readonly confidence: number;
  /** The rules that refused; `risk` if only the sum of the risks was too high; empty for a live verdict. */
  readonly reasons: readonly (RefusalName | 'risk')[];
  /** The measurements, and what each risk subtracted from the log-odds. For the operator only. */
  readonly scores: { readonly measures: Measurements; readonly risks: Readonly<Record<RiskName, number>> };
}

/** Whether a rule takes part in the verdict. */
type RuleFilter = (name: RefusalName | RiskName) => boolean;

const allRules: RuleFilter = () => true;

/** @param isApplied for evidence that lacks what some rules need; by default, all rules judge */
export const judge = (evidence: Evidence, policy: Policy, isApplied = allRules): Verdict =>
  judgeMeasurements(measure(evidence), policy, isApplied);

export function judgeMeasurements(measurements: Measurements, policy: Policy, isApplied = allRules): Verdict {
  const refused = names(refusals).filter((name) => isApplied(name) && refusals[name](measurements, policy));
  const taken = Object.fromEntries(
    names(risks).map((name) => [name, isApplied(name) ? risks[name](measurements) : 0]),
  ) as Record<RiskName, number>;
  const risk = Object.values(taken).reduce((sum, one) => sum + one, 0);
  const confidence = roundedConfidence(logistic(priorLogOdds - risk + refused.length * refusalLogOdds));
  const isLive = refused.length === 0 && confidence >= policy.minConfidence;
  const reasons = isLive || refused.length > 0 ? refused : (['risk'] as const);
  return { isLive, confidence, reasons, scores: { measures: measurements, risks: taken } };
}

const names = <Name extends string>(table: Readonly<Record<Name, unknown>>) => Object.keys(table) as Name[];

const logistic = (logOdds: number) => 1 / (1 + Math.exp(-logOdds));
