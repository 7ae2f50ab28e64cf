/**
 * Checks captures. A check holds a lease, reads the frames from the store and ends with one change of the session. If its
 * gateway dies, the frames stay in the store, and another gateway repeats the check once the lease has ended.
 */
import type { LivenessCompleteResponse } from '@presenza/contract/client/types.d.ts';
import type { FramesReply } from '@presenza/inference/wire';
import { randomBase62 } from '../../../crypto/base62';
import { ApiError } from '../../../errors';
import type { Immutable } from '../../contract/immutable';
import { deadlineIn } from '../../inference/deadline-in';
import type { InferenceCall, InferenceClient } from '../../inference/inference-client';
import { isoTime } from '../../timing/iso-time';
import type { AuditImages } from '../audit/audit-images';
import type { Attempt, CaptureState, CaptureStore } from '../capture/capture-store';
import type { FrameReuse } from '../capture/evidence';
import { countedSources, type Lockout } from '../capture/lockout';
import { SealedAttempt } from '../capture/sealed-attempt';
import { hasAskedTurn, isDone } from '../capture/steps';
import { newCheckerId, newEventId } from '../session/ids';
import type { SealedParts } from '../session/sealed-parts';
import type { Session } from '../session/session';
import { conflictOf, sessionGone } from '../session/session-errors';
import { addressOf, type SessionAddress, type SessionStore } from '../session/session-store';
import type { Finished, LivenessSessions } from '../session/sessions';
import { isFinal } from '../session/states';
import { attemptsLeft, returnUrlOf } from '../session/views';
import { type Finding, type FindingParts, findingOf } from './finding';
import type { Fingerprinter } from './fingerprints';

/** It never contains a score. */
export type AttemptOutcome = Immutable<LivenessCompleteResponse['data']>;

/** `retry`: failed, and attempts are left. */
type Outcome = 'completed' | 'failed' | 'retry';

/** Observes ended checks for metrics. */
export interface CheckObserver {
  /** @param ms duration of the check */
  judged(outcome: Outcome, ms: number): void;
}

export interface CheckParts {
  readonly sessions: Pick<LivenessSessions, 'finish' | 'readReference'>;
  readonly store: Pick<SessionStore, 'beginCheck' | 'retry' | 'find'>;
  readonly captures: Pick<CaptureStore, 'readAttempt' | 'readRecord' | 'rememberFrames' | 'releaseCheck'>;
  readonly seals: Pick<SealedParts, 'open' | 'sealOutcome' | 'sealExplanation'>;
  readonly auditImages: Pick<AuditImages, 'keep'>;
  readonly lockout: Pick<Lockout, 'admit' | 'fail' | 'pass' | 'lockedUntil'>;
  readonly inference: Pick<InferenceClient, 'frames'>;
  readonly fingerprint: Fingerprinter;
  readonly judge: FindingParts['judge'];
  readonly observer: CheckObserver;
  /** Time limit for the measurement of an attempt's frames, which takes a few seconds without a queue. */
  readonly checkMs: number;
  readonly now: () => number;
}

/** Added to the lease of a check for reading the frames and writing the result. */
const leaseMarginMs = 5_000;

type CheckCall = Pick<InferenceCall, 'requestId' | 'stages'>;

export class Checks {
  constructor(private readonly parts: CheckParts) {}

  /**
   * Checks an attempt, or returns its earlier outcome. The check continues if the caller disconnects.
   * @throws ApiError SESSION_STATE_CONFLICT, SESSION_EXPIRED, NOT_FOUND, RATE_LIMIT_EXCEEDED during a lockout,
   *   SERVICE_UNAVAILABLE or DEADLINE_EXCEEDED. After the last three the session may stay in `checking`; a retry checks the
   *   same frames, or returns the outcome if there is one.
   */
  async complete(session: Session, attemptId: string, call: CheckCall): Promise<AttemptOutcome> {
    if (isJudged(session, attemptId)) return this.outcomeOf(session);
    const attempt = await this.parts.captures.readAttempt(addressOf(session), attemptId);
    if (attempt) await this.admit(session, attemptId, attempt);
    return this.check(addressOf(session), attemptId, call);
  }

  /** A lockout also covers attempts in other sessions that began before it, and some have never asked for a turn. */
  private async admit(session: Session, attemptId: string, attempt: Attempt): Promise<void> {
    const state = new SealedAttempt(session, attemptId).openState(attempt.state);
    if (wasUnseen(attempt, state)) {
      throw new ApiError('SERVICE_UNAVAILABLE', { reason: 'overload', retryAfterSeconds: 1 });
    }
    await this.parts.lockout.admit(countedSources(session, hasAskedTurn(state.progress)));
  }

  /** Repeats the check of a session whose checker has died. @throws ApiError as `complete` */
  async rejudge(address: SessionAddress): Promise<void> {
    const record = await this.parts.store.find(address);
    if (record?.status !== 'checking' || record.attemptId === undefined) return;
    await this.check(address, record.attemptId, { requestId: `req_${randomBase62(24)}` });
  }

  private async check(address: SessionAddress, attemptId: string, call: CheckCall): Promise<AttemptOutcome> {
    const { store, captures, seals, checkMs } = this.parts;
    const checker = newCheckerId();
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
      const finding = await this.examine(session, attemptId, call);
      return await this.end(session, attemptId, finding, performance.now() - beginMs);
    } catch (error) {
      // If this fails, the lease ends by itself.
      await captures.releaseCheck(address, checker).catch(() => {});
      throw error;
    }
  }

  private async examine(session: Session, attemptId: string, call: CheckCall): Promise<Finding> {
    const { sessions, captures, inference, judge, checkMs } = this.parts;
    const [record, reference] = await Promise.all([
      captures.readRecord(addressOf(session), attemptId),
      session.hasReference ? sessions.readReference(session) : undefined,
    ]);
    if (!record) throw sessionGone();
    const { deadline, end } = deadlineIn(checkMs);
    const frameCall = { ...call, accountId: session.accountId, deadline, field: 'frames' };
    try {
      const attempt = { attemptId, record, reference };
      return await findingOf(session, attempt, {
        measure: (request) => inference.frames(request, frameCall),
        findReuse: (images, signals) => this.findReuse(session, attemptId, images, signals),
        judge,
      });
    } finally {
      end();
    }
  }

  /** A repeated check of the attempt finds the same. */
  private async findReuse(
    session: Session,
    attemptId: string,
    images: readonly Buffer[],
    signals: FramesReply,
  ): Promise<FrameReuse> {
    const { captures, fingerprint } = this.parts;
    const { all: fingerprints, reuse } = fingerprint(session, images, signals);
    if (fingerprints.length === 0) return reuse([]);
    const { createdAt } = session;
    const frames = { attemptId, createdAt, fingerprints };
    const known = await captures.rememberFrames(addressOf(session), frames);
    if (!known) throw sessionGone();
    return reuse(known);
  }

  /** Ends the session or returns it to `started` for the next attempt. */
  private async end(
    session: Session,
    attemptId: string,
    finding: Finding,
    ms: number,
  ): Promise<AttemptOutcome> {
    const { seals, lockout, observer } = this.parts;
    const passed = finding.result.isLive;
    const isLast = attemptsLeft(session) === 0;
    const outcome = passed ? 'completed' : isLast ? 'failed' : 'retry';
    // First, so that no later failure prevents it. An attempt counts once, however often it is checked.
    await (passed ? lockout.pass(session) : lockout.fail(countedSources(session, finding.askedTurn)));
    const ended = await this.change(session, attemptId, finding, outcome);
    if (ended.changed) observer.judged(outcome, ms);
    return this.outcomeOf(seals.open(ended.session), ended.redirectUrl);
  }

  private async change(
    session: Session,
    attemptId: string,
    { result, match, hint, failureReason, verdict, auditImage }: Finding,
    outcome: Outcome,
  ): Promise<Finished> {
    const { sessions, store, seals, auditImages, now } = this.parts;
    // First, because a session that has ended may be erased at any time.
    if (outcome !== 'retry' && auditImage) await auditImages.keep(session, attemptId, auditImage);
    const entry = { attemptId, at: now(), passed: result.isLive, hint, failureReason, verdict };
    const explanation = seals.sealExplanation(session, [...session.explanation, entry]);
    const judgment = { ...addressOf(session), attemptId, explanation };
    const ended =
      outcome === 'retry'
        ? await store.retry(judgment)
        : await sessions.finish({
            ...judgment,
            status: outcome,
            outcome: seals.sealOutcome(session, { result, ...(match && { match }) }),
            eventId: newEventId(),
          });
    if (!ended) throw sessionGone();
    return ended;
  }

  private async outcomeOf(session: Session, redirectUrl?: string): Promise<AttemptOutcome> {
    const returnUrl = redirectUrl ?? returnUrlOf(session);
    const { status, judged } = session;
    const passed = status === 'completed';
    const locked = passed ? undefined : await this.parts.lockout.lockedUntil(session);
    const isOver = isFinal(status) || (locked !== undefined && locked >= session.expiresAt);
    return {
      status,
      attemptsLeft: isOver ? 0 : attemptsLeft(session),
      ...(judged?.hint !== undefined && !passed && { hint: judged.hint }),
      ...(locked !== undefined && { lockedUntil: isoTime(locked) }),
      ...(isFinal(status) && returnUrl !== undefined && { returnUrl }),
    };
  }
}

const isJudged = ({ status, judged }: Session, attemptId: string): boolean =>
  isFinal(status) || judged?.attemptId === attemptId;

/** Whether an attempt is incomplete because the inference tier had no capacity, which must not count against the user. */
const wasUnseen = ({ movements, taken }: Attempt, { progress, unseen }: CaptureState): boolean =>
  !isDone(progress, movements) && unseen > taken / 2;
