/**
 * Has captures judged. A check is taken with a lease, its frames are judged from the store, and its end is one change
 * of the session: whoever dies over it leaves frames and lease behind, and whoever comes next judges them again.
 */
import { AppError } from '../../errors';
import { randomBase62 } from '../base62';
import type { InferenceCall, InferenceClient } from '../inference/inference-client';
import { addressOf } from './capture';
import type { Attempt, CaptureStore } from './capture-store';
import { conflictOf, sessionGone } from './conflicts';
import { deadlineIn } from './deadline-in';
import { type Finding, type FindingParts, findingOf } from './finding';
import type { Explanation, Session, SessionOutcome, SessionRecord } from './session';
import type { SessionAddress, SessionStore } from './session-store';
import { isFinal, type SessionStatus } from './states';
import { isDone } from './steps';

/** How an attempt ended. Never a score. */
export interface AttemptOutcome {
  readonly status: SessionStatus;
  readonly attemptsLeft: number;
  readonly hint?: string;
  /** Milliseconds since 1970: until when the device may begin no attempt. */
  readonly lockedUntil?: number;
}

/** Told of each check that ended, for metrics. */
export interface CheckObserver {
  /** @param outcome `retry` where attempts are left. @param ms that judging took */
  judged(outcome: 'completed' | 'failed' | 'retry', ms: number): void;
}

/** Opens what is stored of a session, and seals what a check adds to it. */
export interface SessionSeals {
  open(record: SessionRecord): Session;
  openReference(session: Session, sealed: Buffer): Buffer;
  sealOutcome(session: Session, outcome: SessionOutcome): string;
  sealExplanation(session: Session, entries: readonly Explanation[]): string;
}

/** Failed attempts by device and network. */
export interface Failures {
  count(session: Session): Promise<void>;
  /** Until when the session's device is locked out, in milliseconds since 1970; undefined where it is not. */
  lockedUntil(session: Session): Promise<number | undefined>;
}

export interface CheckParts {
  readonly sessions: Pick<SessionStore, 'beginCheck' | 'finish' | 'retry' | 'find' | 'findReference'>;
  readonly store: Pick<CaptureStore, 'readAttempt' | 'readRecord' | 'releaseCheck'>;
  readonly seals: SessionSeals;
  readonly failures: Failures;
  readonly inference: Pick<InferenceClient, 'frames'>;
  readonly judge: FindingParts['judge'];
  readonly observer: CheckObserver;
  readonly now: () => number;
}

/** What one check may take: 64 frames take one processor a few seconds, more where others wait as well. */
const checkMs = 20_000;
/** The lease is longer, for the frames to be read and the end to be written. */
const leaseMs = checkMs + 5_000;

type CheckCall = Pick<InferenceCall, 'requestId' | 'stages'>;

export class Checks {
  constructor(private readonly parts: CheckParts) {}

  /**
   * Judges an attempt, or tells how it was judged. It goes on when the caller leaves.
   * @throws AppError SESSION_STATE_CONFLICT, NOT_FOUND, SERVICE_UNAVAILABLE or DEADLINE_EXCEEDED: the last two change
   *   nothing, and calling again judges the same frames.
   */
  async complete(session: Session, attemptId: string, call: CheckCall): Promise<AttemptOutcome> {
    if (isJudged(session, attemptId)) return this.outcomeOf(session);
    const attempt = await this.parts.store.readAttempt(addressOf(session), attemptId);
    if (attempt && wasUnseen(attempt)) {
      throw new AppError('SERVICE_UNAVAILABLE', { reason: 'overload', retryAfterSeconds: 1 });
    }
    return (await this.check(addressOf(session), attemptId, call)) ?? Promise.reject(sessionGone());
  }

  /** Judges a session again whose judge is gone; nothing where there is none to judge. @throws AppError as `complete` */
  async rejudge(address: SessionAddress): Promise<void> {
    const record = await this.parts.sessions.find(address);
    if (record?.status !== 'checking' || record.attemptId === undefined) return;
    await this.check(address, record.attemptId, { requestId: `req_${randomBase62(24)}` });
  }

  /** @returns undefined where there is no such session any more. */
  private async check(
    address: SessionAddress,
    attemptId: string,
    call: CheckCall,
  ): Promise<AttemptOutcome | undefined> {
    const { sessions, store, seals } = this.parts;
    const checker = `chk_${randomBase62(22)}`;
    const begun = await sessions.beginCheck(address, { attemptId, checker, leaseMs });
    if (!begun) return undefined;
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
      await store.releaseCheck(address, checker).catch(() => {});
      throw error;
    }
  }

  private async find(session: Session, attemptId: string, call: CheckCall): Promise<Finding> {
    const { sessions, store, seals, inference, judge } = this.parts;
    const address = addressOf(session);
    const [record, sealed] = await Promise.all([
      store.readRecord(address, attemptId),
      session.hasReference ? sessions.findReference(address) : undefined,
    ]);
    if (!record) throw sessionGone();
    const { deadline, end } = deadlineIn(checkMs);
    const attempt = { attemptId, record, reference: sealed && seals.openReference(session, sealed) };
    try {
      return await findingOf(session, attempt, {
        measure: (wanted) => inference.frames(wanted, { ...call, deadline, field: 'frames' }),
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
    { passed, outcome, verdict, hint }: Finding,
    ms: number,
  ): Promise<AttemptOutcome | undefined> {
    const { sessions, seals, failures, observer, now } = this.parts;
    const entries = [...session.explanation, { attemptId, at: now(), passed, verdict }];
    const explanation = seals.sealExplanation(session, entries);
    const judgement = { ...addressOf(session), attemptId, explanation, hint };
    const last = session.failures + 1 >= session.attempts;
    const status = passed ? 'completed' : 'failed';
    const changed =
      passed || last
        ? await sessions.finish({
            ...judgement,
            status,
            outcome: seals.sealOutcome(session, outcome),
            eventId: `evt_${randomBase62(22)}`,
          })
        : await sessions.retry(judgement);
    if (changed?.changed) {
      observer.judged(passed || last ? status : 'retry', ms);
      if (!passed) await failures.count(session);
    }
    return changed && this.outcomeOf(seals.open(changed.session));
  }

  private async outcomeOf(session: Session): Promise<AttemptOutcome> {
    const { status, attempts, failures, judged } = session;
    const passed = status === 'completed';
    const lockedUntil = passed ? undefined : await this.parts.failures.lockedUntil(session);
    return {
      status,
      attemptsLeft: isFinal(status) ? 0 : attempts - failures,
      ...(judged?.hint !== undefined && !passed && { hint: judged.hint }),
      ...(lockedUntil !== undefined && { lockedUntil }),
    };
  }
}

const isJudged = ({ status, judged }: Session, attemptId: string): boolean =>
  isFinal(status) || judged?.attemptId === attemptId;

/** Whether an attempt came to nothing because nobody had time to look: that is no fault of the person's. */
const wasUnseen = ({ movements, state, taken }: Attempt): boolean =>
  !isDone(state.progress, movements) && state.unseen > taken / 2;
