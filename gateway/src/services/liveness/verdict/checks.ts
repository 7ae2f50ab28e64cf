/**
 * Has captures judged. A check is taken with a lease, its frames are judged from the store, and its end is one change
 * of the session: whoever dies over it leaves frames and lease behind, and whoever comes next judges them again.
 */

import { randomBase62 } from '../../../crypto/base62';
import { AppError } from '../../../errors';
import { deadlineIn } from '../../inference/deadline-in';
import type { InferenceCall, InferenceClient } from '../../inference/inference-client';
import type { Attempt, CaptureState, CaptureStore } from '../capture/capture-store';
import type { LockOut } from '../capture/lock-out';
import { SealedAttempt } from '../capture/sealed-attempt';
import { isDone } from '../capture/steps';
import { conflictOf, sessionGone } from '../session/conflicts';
import type { SealedParts } from '../session/sealed-parts';
import type { Session } from '../session/session';
import { addressOf, type SessionAddress, type SessionStore } from '../session/session-store';
import { type Finished, type LivenessSessions, newEventId } from '../session/sessions';
import { isFinal, type SessionStatus } from '../session/states';
import { attemptsLeft } from '../session/views';
import { type Finding, type FindingParts, findingOf } from './finding';

/** How an attempt ended, the `data` of `liveness-complete-response.json`. Never a score. */
export interface AttemptOutcome {
  readonly status: SessionStatus;
  readonly attemptsLeft: number;
  readonly hint?: string;
  /** Until when the device may begin no attempt, ISO 8601. */
  readonly lockedUntil?: string;
  /** Where the person goes, where the session has ended. */
  readonly returnUrl?: string;
}

/** `retry` where attempts are left. */
type Outcome = 'completed' | 'failed' | 'retry';

/** Told of each check that ended, for metrics. */
export interface CheckObserver {
  /** @param ms that judging took */
  judged(outcome: Outcome, ms: number): void;
}

export interface CheckParts {
  readonly sessions: Pick<LivenessSessions, 'finish' | 'readReference'>;
  readonly store: Pick<SessionStore, 'beginCheck' | 'retry' | 'find'>;
  readonly captures: Pick<CaptureStore, 'readAttempt' | 'readRecord' | 'releaseCheck'>;
  readonly seals: Pick<SealedParts, 'open' | 'sealOutcome' | 'sealExplanation'>;
  readonly lockOut: Pick<LockOut, 'check' | 'count' | 'lockedUntil'>;
  readonly inference: Pick<InferenceClient, 'frames'>;
  readonly judge: FindingParts['judge'];
  readonly observer: CheckObserver;
  /** Time that the frames of an attempt may take to be measured: a few seconds where nothing else waits. */
  readonly checkMs: number;
  readonly now: () => number;
}

/** By which the lease of a check is longer, for the frames to be read and the end to be written. */
const leaseMarginMs = 5_000;

type CheckCall = Pick<InferenceCall, 'requestId' | 'stages'>;

export class Checks {
  constructor(private readonly parts: CheckParts) {}

  /**
   * Judges an attempt, or tells how it was judged. It goes on when the caller leaves.
   * @throws AppError SESSION_STATE_CONFLICT, SESSION_EXPIRED, NOT_FOUND, RATE_LIMIT_EXCEEDED while where it comes from is
   *   locked out, SERVICE_UNAVAILABLE or DEADLINE_EXCEEDED: the last three change nothing, and calling again judges the
   *   same frames.
   */
  async complete(session: Session, attemptId: string, call: CheckCall): Promise<AttemptOutcome> {
    if (isJudged(session, attemptId)) return this.outcomeOf(session);
    // Attempts that began before the lock-out, in other sessions, are none to spare.
    await this.parts.lockOut.check(session);
    const attempt = await this.parts.captures.readAttempt(addressOf(session), attemptId);
    if (attempt && wasUnseen(attempt, new SealedAttempt(session, attemptId).openState(attempt.state))) {
      throw new AppError('SERVICE_UNAVAILABLE', { reason: 'overload', retryAfterSeconds: 1 });
    }
    return this.check(addressOf(session), attemptId, call);
  }

  /** Judges an attempt again whose judge is gone; does nothing where there is none. @throws AppError as `complete` */
  async rejudge(address: SessionAddress): Promise<void> {
    const record = await this.parts.store.find(address);
    if (record?.status !== 'checking' || record.attemptId === undefined) return;
    await this.check(address, record.attemptId, { requestId: `req_${randomBase62(24)}` });
  }

  private async check(address: SessionAddress, attemptId: string, call: CheckCall): Promise<AttemptOutcome> {
    const { store, captures, seals, checkMs } = this.parts;
    const checker = `chk_${randomBase62(22)}`;
    const leaseMs = checkMs + leaseMarginMs;
    const begun = await store.beginCheck(address, { attemptId, checker, leaseMs });
    if (!begun) throw sessionGone();
    const session = seals.open(begun.session);
    if (!begun.changed) {
      if (isJudged(session, attemptId)) return this.outcomeOf(session);
      throw conflictOf(session.status, 'attempt');
    }
    try {
      const beginMs = performance.now();
      const finding = await this.find(session, attemptId, call);
      return await this.end(session, attemptId, finding, performance.now() - beginMs);
    } catch (error) {
      // Otherwise the lease ends by itself.
      await captures.releaseCheck(address, checker).catch(() => {});
      throw error;
    }
  }

  private async find(session: Session, attemptId: string, call: CheckCall): Promise<Finding> {
    const { sessions, captures, inference, judge, checkMs } = this.parts;
    const [record, reference] = await Promise.all([
      captures.readRecord(addressOf(session), attemptId),
      session.hasReference ? sessions.readReference(session) : undefined,
    ]);
    if (!record) throw sessionGone();
    const { deadline, end } = deadlineIn(checkMs);
    const measuring = { ...call, deadline, field: 'frames' };
    try {
      const attempt = { attemptId, record, reference };
      return await findingOf(session, attempt, {
        measure: (wanted) => inference.frames(wanted, measuring),
        judge,
      });
    } finally {
      end();
    }
  }

  /** Ends the session, or lets it go on with the next attempt. */
  private async end(
    session: Session,
    attemptId: string,
    finding: Finding,
    ms: number,
  ): Promise<AttemptOutcome> {
    const { seals, lockOut, observer } = this.parts;
    const passed = finding.result.isLive;
    const isLast = session.failures + 1 >= session.attempts;
    const outcome = passed ? 'completed' : isLast ? 'failed' : 'retry';
    // Before anything else can fail; an attempt counts once, however often it is judged.
    if (!passed) await lockOut.count(session);
    const ended = await this.change(session, attemptId, finding, outcome);
    if (ended.changed) observer.judged(outcome, ms);
    return this.outcomeOf(seals.open(ended.session), ended.redirectUrl);
  }

  private async change(
    session: Session,
    attemptId: string,
    { result, match, hint, verdict }: Finding,
    outcome: Outcome,
  ): Promise<Finished> {
    const { sessions, store, seals, now } = this.parts;
    const entry = { attemptId, at: now(), passed: result.isLive, hint, verdict };
    const explanation = seals.sealExplanation(session, [...session.explanation, entry]);
    const judgement = { ...addressOf(session), attemptId, explanation };
    const ended =
      outcome === 'retry'
        ? await store.retry(judgement)
        : await sessions.finish({
            ...judgement,
            status: outcome,
            outcome: seals.sealOutcome(session, { result, ...(match && { match }) }),
            eventId: newEventId(),
          });
    if (!ended) throw sessionGone();
    return ended;
  }

  private async outcomeOf(session: Session, redirectUrl?: string): Promise<AttemptOutcome> {
    const { status, judged, returnUrl } = session;
    const passed = status === 'completed';
    const locked = passed ? undefined : await this.parts.lockOut.lockedUntil(session);
    const next = redirectUrl ?? returnUrl;
    return {
      status,
      attemptsLeft: isFinal(status) ? 0 : attemptsLeft(session),
      ...(judged?.hint !== undefined && !passed && { hint: judged.hint }),
      ...(locked !== undefined && { lockedUntil: new Date(locked).toISOString() }),
      ...(isFinal(status) && next !== undefined && { returnUrl: next }),
    };
  }
}

const isJudged = ({ status, judged }: Session, attemptId: string): boolean =>
  isFinal(status) || judged?.attemptId === attemptId;

/** Whether an attempt came to nothing because nobody had time to look: that is no fault of the person's. */
const wasUnseen = ({ movements, taken }: Attempt, { progress, unseen }: CaptureState): boolean =>
  !isDone(progress, movements) && unseen > taken / 2;
