/**
 * A capture while it runs: an attempt begins with movements that nobody could know before, and each frame is answered
 * with what the person should do. Frames are taken in the order of their nonces, sealed, and kept to be judged.
 */
import catalogue from '@presenza/contract/errors.json';
import limits from '@presenza/contract/limits.json';
import { randomBase62 } from '../../../crypto/base62';
import { AppError } from '../../../errors';
import { deadlineIn } from '../../inference/deadline-in';
import type { DetectCall, InferenceClient } from '../../inference/inference-client';
import { conflictOf, sessionGone, tooHeavy } from '../session/conflicts';
import type { Session } from '../session/session';
import { addressOf, type SessionStore } from '../session/session-store';
import { type Attempt, attemptFields, type CaptureStore, type NotTaken } from './capture-store';
import type { CameraReport, Movement, RefusedFrame } from './evidence';
import type { Guidance, GuidedFace } from './guidance';
import { jpegSize } from './jpeg-size';
import type { Origin } from './lock-out';
import { type CaptureNow, nextState } from './next-state';
import { nonceOf, notGiven, numberOf, outstanding } from './nonces';
import { SealedAttempt } from './sealed-attempt';
import { beginning, drawMovements, isDone } from './steps';

/** Told of each frame, for metrics. */
export interface CaptureObserver {
  /** `unseen`: nobody had time to look at it. */
  guided(guidance: Guidance | 'unseen'): void;
  refused(reason: RefusedFrame): void;
}

export interface CaptureParts {
  readonly store: Pick<SessionStore, 'beginAttempt'>;
  readonly captures: Pick<CaptureStore, 'expectFrame' | 'takeFrame'>;
  readonly inference: Pick<InferenceClient, 'detect'>;
  readonly observer: CaptureObserver;
  /** How long an attempt takes frames. */
  readonly attemptSeconds: number;
  /** By default at random. */
  readonly draw?: () => Movement[];
}

/** Where an attempt comes from. */
export interface Device {
  readonly origin: Origin;
  readonly camera: CameraReport;
  /** Version of the notice that the person agreed to. */
  readonly notice?: string | undefined;
}

export interface StepAsked {
  readonly index: number;
  readonly movement: Movement;
}

/** The `data` of `liveness-attempt-response.json`. */
export interface Begun {
  readonly attemptId: string;
  readonly steps: number;
  readonly step: StepAsked;
  readonly nonces: readonly string[];
  readonly frameIntervalMs: number;
  readonly maxFrameBytes: number;
  readonly timeoutSeconds: number;
}

export interface FrameSent {
  readonly attemptId: string;
  readonly nonce: string;
  /** One JPEG. */
  readonly image: Buffer;
}

/** The `data` of `liveness-frame-response.json`. */
export interface FrameAnswer {
  /** Of one more frame. */
  readonly nonce: string;
  /** What was said last, where nobody had time to look at the frame. */
  readonly guidance: Guidance;
  readonly step: StepAsked;
  /** Of the step, 0 to 1. */
  readonly progress: number;
  readonly done: boolean;
}

export type FrameCall = Omit<DetectCall, 'field' | 'attributes'>;

const { attemptStartsPerSession, attempt: attemptLimits, frame: frameLimits } = limits.liveness;

/** Guidance that comes later than this helps nobody: the frame is taken without. */
const patienceMs = 1_000;
/** Other captures of the account free what they hold when they are judged. */
const heavySeconds = 2;
const attemptIdLength = 20;

export class Capture {
  constructor(private readonly parts: CaptureParts) {}

  /** @throws AppError SESSION_STATE_CONFLICT, NOT_FOUND or SERVICE_UNAVAILABLE */
  async begin(session: Session, { origin, camera, notice }: Device): Promise<Begun> {
    const { store, attemptSeconds, draw = drawMovements } = this.parts;
    const attemptId = `att_${randomBase62(attemptIdLength)}`;
    const movements = draw();
    const sealed = new SealedAttempt(session, attemptId);
    const state = sealed.sealState({ progress: beginning, guidance: 'ok', kept: [], unseen: 0 });
    const changed = await store.beginAttempt(addressOf(session), {
      attemptId,
      ...origin,
      notice,
      most: attemptStartsPerSession,
      fields: attemptFields(attemptId, {
        movements,
        timeoutMs: 1_000 * attemptSeconds,
        state,
        camera: sealed.sealCamera(camera),
      }),
    });
    if (!changed) throw sessionGone();
    // Somebody is still asked whether it may begin.
    const isUndecided = changed.session.undecided !== undefined;
    if (!changed.changed) throw conflictOf(isUndecided ? 'created' : changed.session.status, 'attempts');
    return {
      attemptId,
      steps: movements.length,
      step: stepAt(movements, 0),
      nonces: Array.from({ length: outstanding }, (_, i) => nonceOf(session.key, attemptId, i + 1)),
      frameIntervalMs: attemptLimits.frameIntervalMs,
      maxFrameBytes: frameLimits.maxBytes,
      timeoutSeconds: attemptSeconds,
    };
  }

  /**
   * @throws AppError SESSION_STATE_CONFLICT, SESSION_EXPIRED, RATE_LIMIT_EXCEEDED, INVALID_IMAGE, INVALID_PARAMETERS,
   *   NOT_FOUND or SERVICE_UNAVAILABLE
   */
  async take(session: Session, sent: FrameSent, call: FrameCall): Promise<FrameAnswer> {
    checkSize(sent.image);
    const { attemptId } = sent;
    const number = numberOf(session.key, attemptId, sent.nonce) ?? notGiven;
    // Nothing is looked at for free that will not be taken.
    const expected = await this.parts.captures.expectFrame(addressOf(session), attemptId, number);
    if (expected.outcome !== 'expected') throw this.refusalOf(expected);
    const faces = await this.look(sent.image, call);
    const now = await this.keep(session, { ...sent, number, faces }, expected.attempt);
    this.parts.observer.guided(faces ? now.state.guidance : 'unseen');
    return answerOf(session, attemptId, now);
  }

  /** Faces in a frame; undefined where the tier has no room or no time for it. */
  private async look(image: Buffer, call: FrameCall): Promise<readonly GuidedFace[] | undefined> {
    const { deadline, end } = deadlineIn(patienceMs, call.deadline);
    try {
      const wanted = { ...call, deadline, field: 'frame', attributes: ['pose'] };
      return (await this.parts.inference.detect(image, wanted)).faces;
    } catch (error) {
      if (error instanceof AppError && (error.status === 503 || error.status === 504)) return undefined;
      throw error;
    } finally {
      end();
    }
  }

  /** Others may come in between: then what follows from the frame is reckoned anew. */
  private async keep(
    session: Session,
    { attemptId, number, image, faces }: FrameSent & Numbered,
    from: Attempt,
  ): Promise<Taken> {
    const sealed = new SealedAttempt(session, attemptId);
    const kept = sealed.sealFrame(number, image);
    const { movements } = from;
    for (let attempt = from; ; ) {
      const next = nextState({ movements, state: sealed.openState(attempt.state) }, number, faces);
      const taken = await this.parts.captures.takeFrame(addressOf(session), {
        attemptId,
        number,
        after: attempt.taken,
        image: next.isKept ? kept : undefined,
        ...next,
        state: sealed.sealState(next.state),
      });
      switch (taken.outcome) {
        case 'taken':
          return { movements, state: next.state, taken: taken.taken };
        case 'again':
          attempt = { ...attempt, ...taken.attempt };
          break;
        default:
          throw this.refusalOf(taken);
      }
    }
  }

  private refusalOf(frame: NotTaken): AppError {
    switch (frame.outcome) {
      case 'refused':
        this.parts.observer.refused(frame.reason);
        return new AppError('SESSION_STATE_CONFLICT', { reason: 'frame', detail: `${frame.reason} nonce` });
      case 'status':
        return frame.status ? conflictOf(frame.status, 'attempt') : sessionGone();
      case 'heavy':
        return tooHeavy(heavySeconds);
      default:
        return conflictOf('started', frame.outcome === 'full' ? 'frames' : 'attempt');
    }
  }
}

/** An attempt with its newest frame. */
interface Taken extends CaptureNow {
  readonly taken: number;
}

interface Numbered {
  readonly number: number;
  readonly faces: readonly GuidedFace[] | undefined;
}

const stepAt = (movements: readonly Movement[], index: number): StepAsked => ({
  index,
  movement: movements[index] as Movement,
});

function answerOf(session: Session, attemptId: string, { movements, state, taken }: Taken): FrameAnswer {
  const { progress, guidance } = state;
  const done = isDone(progress, movements);
  return {
    nonce: nonceOf(session.key, attemptId, taken + outstanding),
    guidance,
    step: stepAt(movements, done ? movements.length - 1 : progress.step),
    progress: done ? 1 : progress.share,
    done,
  };
}

/** @throws AppError INVALID_IMAGE for what is no JPEG, INVALID_PARAMETERS for one of another size. */
function checkSize(image: Buffer): void {
  const size = jpegSize(image);
  if (!size) throw new AppError('INVALID_IMAGE', { reason: 'format' });
  const { minWidth, maxWidth } = frameLimits;
  if (size.width >= minWidth && size.width <= maxWidth) return;
  const expected = catalogue.INVALID_PARAMETERS.expectations.range
    .replace('{minimum}', String(minWidth))
    .replace('{maximum}', String(maxWidth));
  throw new AppError('INVALID_PARAMETERS', { reason: 'value', values: { field: 'width', expected } });
}
