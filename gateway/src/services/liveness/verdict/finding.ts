/** Looks at the frames of an attempt and says what they show: the part of a check that changes nothing. */
import limits from '@presenza/contract/limits.json';
import type { FramesReply } from '@presenza/inference/wire';
import type { FramesRequest } from '../../inference/inference-client';
import type { AttemptRecord } from '../capture/capture-store';
import type { Evidence } from '../capture/evidence';
import type { CaptureNow } from '../capture/next-state';
import { SealedAttempt } from '../capture/sealed-attempt';
import { isDone } from '../capture/steps';
import type { MatchResult, Session, SessionOutcome } from '../session/session';
import { gather } from './gather';
import { type Hint, hintOf, hintOfUnfinished } from './hints';

/** What a verdict says, with its reasons, whatever they are: the operator's record takes it whole. */
export interface Judged {
  readonly isLive: boolean;
  /** 0 to 1. */
  readonly confidence: number;
}

export interface Finding extends SessionOutcome {
  /** For the person, where it was not passed. */
  readonly hint?: Hint;
  /** For the operator. */
  readonly verdict: unknown;
}

export interface FindingParts {
  readonly measure: (wanted: FramesRequest) => Promise<FramesReply>;
  readonly judge: (evidence: Evidence) => Judged;
}

/** An attempt with what the tier is to compare it with. */
export interface AttemptToJudge {
  readonly attemptId: string;
  readonly record: AttemptRecord;
  /** An encoded picture. */
  readonly reference: Buffer | undefined;
}

/** @throws what `measure` throws */
export async function findingOf(
  session: Session,
  { attemptId, record, reference }: AttemptToJudge,
  { measure, judge }: FindingParts,
): Promise<Finding> {
  const sealed = new SealedAttempt(session, attemptId);
  const now = { movements: record.movements, state: sealed.openState(record.state) };
  if (!isDone(now.state.progress, now.movements)) return unfinished(now);
  const gathered = gather(record, sealed.openFrame);
  const { frames, challenges } = gathered;
  const signals = await measure({ frames, challenges, reference });
  const camera = sealed.openCamera(record.camera);
  const evidence = gathered.evidence(signals, camera);
  const verdict = judge(evidence);
  const { isLive, confidence } = verdict;
  const match = isLive && reference ? { match: matchOf(signals) } : {};
  return {
    result: { isLive, confidence },
    ...match,
    verdict,
    ...(!isLive && { hint: hintOf(evidence) }),
  };
}

/** Who did not do what was asked in time. */
function unfinished({ state, movements }: CaptureNow): Finding {
  const { progress, guidance } = state;
  return {
    result: { isLive: false, confidence: 0 },
    verdict: { reasons: ['unfinished'], stepsDone: progress.step, steps: movements.length, guidance },
    hint: hintOfUnfinished(guidance),
  };
}

/** A reference in which the tier finds no face is like nobody. */
function matchOf({ reference }: FramesReply): MatchResult {
  const similarityThreshold = limits.thresholds.similarityDefault;
  const similarity = (reference?.ok ? reference.similarity : null) ?? 0;
  return { isMatch: similarity >= similarityThreshold, similarity, similarityThreshold };
}
