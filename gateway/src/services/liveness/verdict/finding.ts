/**
 * The part of a check without side effects, from the frames of an attempt to a finding: gathers the evidence, has it judged,
 * and adds match, hint and failure reason.
 */
import type { MatchResult } from '@presenza/contract/client/types.d.ts';
import limits from '@presenza/contract/limits.json';
import type { FramesReply } from '@presenza/inference/wire';
import type { FramesRequest, TimedFrame } from '../../inference/inference-client';
import type { AttemptRecord } from '../capture/capture-store';
import type { Evidence, FrameReuse } from '../capture/evidence';
import { lightOf } from '../capture/light';
import type { CaptureNow } from '../capture/next-state';
import { SealedAttempt } from '../capture/sealed-attempt';
import { hasAskedTurn, isDone } from '../capture/steps';
import type { FailureReason } from '../session/foremost-reason';
import type { Hint, Session, SessionOutcome } from '../session/session';
import { failureReasonOf, failureReasonOfUnfinished } from './failure-reasons';
import { gather } from './gather';
import { hintOf, hintOfUnfinished } from './hints';
import { type Policy, verdictPolicyOf } from './policy';
import type { Verdict } from './verdict';

/** The fields of a verdict that this module reads. It passes the whole verdict on to the operator's record. */
export type Judged = Pick<Verdict, 'isLive' | 'confidence' | 'reasons'>;

export interface Finding extends SessionOutcome {
  /** Shown to the user of a failed attempt. */
  readonly hint?: Hint;
  /** Shown to the account of a failed attempt. */
  readonly failureReason?: FailureReason;
  /** Whether the attempt asked for a turn. */
  readonly askedTurn: boolean;
  /** Shown to the operator. */
  readonly verdict: unknown;
  /** The sharpest frontal frame, a JPEG, if the session keeps an audit image. */
  readonly auditImage?: Buffer;
}

export interface FindingParts {
  readonly measure: (request: FramesRequest) => Promise<FramesReply>;
  /** Remembers the frames, and finds those of another session. @param images in the order of `signals.frames` */
  readonly findReuse: (images: readonly Buffer[], signals: FramesReply) => Promise<FrameReuse>;
  readonly judge: (evidence: Evidence, policy: Policy) => Judged;
}

/** An attempt and its reference image. */
export interface AttemptToCheck {
  readonly attemptId: string;
  readonly record: AttemptRecord;
  /** An encoded image. */
  readonly reference: Buffer | undefined;
}

/** @throws the errors of `measure` and `findReuse` */
export async function findingOf(
  session: Session,
  { attemptId, record, reference }: AttemptToCheck,
  { measure, findReuse, judge }: FindingParts,
): Promise<Finding> {
  const sealed = new SealedAttempt(session, attemptId);
  const now = { movements: record.movements, state: sealed.openState(record.state) };
  if (!isDone(now.state.progress, now.movements)) return unfinished(now);
  const gathered = gather(record, sealed.openFrame);
  const { frames, challenges } = gathered;
  const light = lightOf(now.state.light, timed(record, frames));
  const signals = await measure({ frames, challenges, light, reference });
  const reuse = await findReuse(
    frames.map(({ image }) => image),
    signals,
  );
  const camera = sealed.openCamera(record.camera);
  const { signing, clientFaults = [], faceless = [] } = now.state;
  const transport = { isSigned: signing !== undefined, clientFaults };
  const evidence = gathered.evidence(signals, { faceless, camera, transport, reuse });
  const verdict = judge(evidence, verdictPolicyOf(session.policy));
  const { isLive, confidence, reasons } = verdict;
  const best = session.auditImageDays === undefined ? null : signals.best;
  const auditImage = best === null ? undefined : frames[best]?.image;
  const match = isLive && reference ? { match: matchOf(signals) } : {};
  return {
    result: { isLive, confidence },
    ...match,
    askedTurn: true,
    verdict,
    ...(auditImage && { auditImage }),
    ...(!isLive && { hint: hintOf(evidence), failureReason: failureReasonOf(reasons) }),
  };
}

/** The selected frames with their numbers. @param gathered in the order of `arrivals` */
function timed({ arrivals, frames }: AttemptRecord, gathered: readonly TimedFrame[]) {
  const numbers = arrivals.map(({ number }) => number).filter((number) => frames.has(number));
  return gathered.map(({ timeMs }, i) => ({ number: numbers[i] as number, timeMs }));
}

/** The finding for an attempt with incomplete steps. */
function unfinished({ state, movements }: CaptureNow): Finding {
  const { progress, guidance } = state;
  return {
    result: { isLive: false, confidence: 0 },
    askedTurn: hasAskedTurn(progress),
    verdict: { reasons: ['unfinished'], stepsDone: progress.step, steps: movements.length, guidance },
    hint: hintOfUnfinished(guidance),
    failureReason: failureReasonOfUnfinished(guidance),
  };
}

/** A reference image without a face matches nobody. */
function matchOf({ reference }: FramesReply): MatchResult {
  const similarityThreshold = limits.thresholds.similarityDefault;
  const similarity = (reference?.ok ? reference.similarity : null) ?? 0;
  return { isMatch: similarity >= similarityThreshold, similarity, similarityThreshold };
}
