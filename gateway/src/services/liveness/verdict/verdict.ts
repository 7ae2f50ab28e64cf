/**
 * Whether a live person was before the camera: from the evidence of one attempt, and from nothing else. Rules that
 * refuse come first, each by itself; what is left adds up. The table says what each number rests on.
 */
import type { Evidence } from '../capture/evidence';
import type { LivenessResult } from '../session/session';
import { type Measures, measure } from './measures';
import {
  minConfidence,
  priorLogOdds,
  type RefusalName,
  type RiskName,
  refusalLogOdds,
  refusals,
  risks,
} from './table';

export interface Verdict extends LivenessResult {
  /**
   * Probability that a live person was there, 0 to 1, if 3 of 100 presentations that no rule refuses are attacks and
   * the risks are independent of each other: 0.97 where nothing was suspicious, below 0.02 wherever a rule refused.
   */
  readonly confidence: number;
  /** Rules that refused; `risk` where none did and the risks together were too high; none where it is live. */
  readonly reasons: readonly (RefusalName | 'risk')[];
  /** What was measured, and what each risk took from the log-odds. For the operator alone. */
  readonly scores: { readonly measures: Measures; readonly risks: Readonly<Record<RiskName, number>> };
}

export function judge(evidence: Evidence): Verdict {
  return judgeMeasures(measure(evidence));
}

/** @returns the same for the same measures */
export function judgeMeasures(measures: Measures): Verdict {
  const refused = names(refusals).filter((name) => refusals[name](measures));
  const taken = Object.fromEntries(names(risks).map((name) => [name, risks[name](measures)])) as Record<
    RiskName,
    number
  >;
  const risk = Object.values(taken).reduce((sum, one) => sum + one, 0);
  const confidence = logistic(priorLogOdds - risk + refused.length * refusalLogOdds);
  const isLive = refused.length === 0 && confidence >= minConfidence;
  const reasons = isLive || refused.length > 0 ? refused : (['risk'] as const);
  return {
    isLive,
    confidence,
    reasons,
    scores: { measures, risks: taken },
  };
}

const names = <Name extends string>(table: Readonly<Record<Name, unknown>>) => Object.keys(table) as Name[];

const logistic = (logOdds: number) => 1 / (1 + Math.exp(-logOdds));
