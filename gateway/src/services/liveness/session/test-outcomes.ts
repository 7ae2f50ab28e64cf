/**
 * Moves sessions with a test outcome through the statuses of real ones, without a user: the sweep starts them, begins an
 * attempt and its check, and ends them as requested. Every step is a change in the store, so that after a restart another
 * gateway continues.
 */
import limits from '@presenza/contract/limits.json';
import testImages from '@presenza/contract/test-images.json';
import { newAttemptId, newCheckerId, newEventId } from './ids';
import type { SealedParts } from './sealed-parts';
import { fullConfidence, type Session, type SessionOutcome } from './session';
import { addressOf, type SessionAddress, type SessionStore } from './session-store';
import type { LivenessSessions } from './sessions';

export interface TestOutcomeServices {
  readonly sessions: Pick<LivenessSessions, 'find' | 'start' | 'finish'>;
  readonly store: Pick<SessionStore, 'beginAttempt' | 'beginCheck' | 'leave'>;
  readonly seals: Pick<SealedParts, 'sealOutcome' | 'sealExplanation'>;
  readonly now: () => number;
}

const { attemptStartsPerSession, testOutcome } = limits.liveness;
const { certainty, difference } = testImages;
const stepMs = 1_000 * testOutcome.stepSeconds;

export class TestOutcomes {
  constructor(private readonly services: TestOutcomeServices) {}

  /** Takes the next step of a session. @throws ApiError as the step does */
  async advance(address: SessionAddress): Promise<void> {
    const { sessions, store } = this.services;
    const session = await sessions.find(address);
    const { status, undecided } = session;
    if (status === 'checking') await this.finish(session);
    // A synchronous webhook that did not respond is asked again.
    else if (status === 'created' || (status === 'started' && undecided !== undefined))
      await sessions.start(address);
    else if (status === 'started' && session.testOutcome === 'abandoned') await store.leave(address, stepMs);
    else if (status === 'started') await this.check(address);
  }

  private async check(address: SessionAddress): Promise<void> {
    const { store } = this.services;
    const attemptId = newAttemptId();
    const attempt = { attemptId, device: '', maxBegun: attemptStartsPerSession, fields: { attemptId } };
    await store.beginAttempt(address, attempt);
    await store.beginCheck(address, { attemptId, checker: newCheckerId(), leaseMs: stepMs });
  }

  private async finish(session: Session): Promise<void> {
    const { sessions, store, seals, now } = this.services;
    const { attemptId = '', testOutcome } = session;
    const address = addressOf(session);
    const begun = await store.beginCheck(address, { attemptId, checker: newCheckerId(), leaseMs: stepMs });
    if (!begun?.changed) return;
    const outcome = outcomeOf(session);
    const passed = outcome.result.isLive;
    const verdict = { isLive: passed, confidence: outcome.result.confidence, reasons: [], testOutcome };
    await sessions.finish({
      ...address,
      attemptId,
      status: passed ? 'completed' : 'failed',
      outcome: seals.sealOutcome(session, outcome),
      explanation: seals.sealExplanation(session, [
        { attemptId, at: now(), passed, verdict, ...(!passed && { failureReason: 'spoofSuspected' }) },
      ]),
      eventId: newEventId(),
    });
  }
}

function outcomeOf({ testOutcome, hasReference }: Session): SessionOutcome {
  if (testOutcome === 'spoof') return { result: { isLive: false, confidence: 0 } };
  const result = { isLive: true, confidence: fullConfidence };
  const fails = testOutcome === 'noMatch';
  if (!hasReference && !fails) return { result };
  const similarity = fails ? difference : certainty;
  const similarityThreshold = limits.thresholds.similarityDefault;
  return { result, match: { isMatch: similarity >= similarityThreshold, similarity, similarityThreshold } };
}
