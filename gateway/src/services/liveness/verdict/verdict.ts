/**
 * Judges whether a live person was in front of the camera, from the evidence of one attempt alone. The rules name every
 * threshold and its basis.
 */

import type { LivenessResult } from '@presenza/contract/client/types.d.ts';
import type { Evidence } from '../capture/evidence';
import { type Measurements, measure } from './measurements';
import { type Policy, policies } from './policy';
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

export function judge(evidence: Evidence, policy: Policy = policies.standard): Verdict {
  return judgeMeasurements(measure(evidence), policy);
}

export function judgeMeasurements(measurements: Measurements, policy: Policy = policies.standard): Verdict {
  const refused = names(refusals).filter((name) => refusals[name](measurements, policy));
  const taken = Object.fromEntries(names(risks).map((name) => [name, risks[name](measurements)])) as Record<
    RiskName,
    number
  >;
  const risk = Object.values(taken).reduce((sum, one) => sum + one, 0);
  const confidence = logistic(priorLogOdds - risk + refused.length * refusalLogOdds);
  const isLive = refused.length === 0 && confidence >= policy.minConfidence;
  const reasons = isLive || refused.length > 0 ? refused : (['risk'] as const);
  return { isLive, confidence, reasons, scores: { measures: measurements, risks: taken } };
}

const names = <Name extends string>(table: Readonly<Record<Name, unknown>>) => Object.keys(table) as Name[];

const logistic = (logOdds: number) => 1 / (1 + Math.exp(-logOdds));
