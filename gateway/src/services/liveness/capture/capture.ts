/**
 * Runs captures. An attempt begins with a random sequence of movements. The response to each frame contains the guidance
 * for the user. The capture accepts frames in the order of their nonces, seals them and stores a selection.
 */
import type {
  CaptureKey,
  LivenessAttemptResponse,
  LivenessFrameResponse,
  LivenessStep,
} from '@presenza/contract/client/types.d.ts';
import limits from '@presenza/contract/limits.json';
import { ApiError } from '../../../errors';
import type { Immutable } from '../../contract/immutable';
import { deadlineIn } from '../../inference/deadline-in';
import type { DetectCall, InferenceClient } from '../../inference/inference-client';
import { newAttemptId } from '../session/ids';
import type { Session } from '../session/session';
import { conflictOf, sessionBytesExceeded, sessionGone } from '../session/session-errors';
import { addressOf, type SessionStore } from '../session/session-store';
import {
  type Attempt,
  attemptFields,
  type CaptureState,
  type CaptureStore,
  type NotTaken,
} from './capture-store';
import { type ClientFault, withFaults } from './client-faults';
import type { CameraReport, Movement, RefusedFrame } from './evidence';
import type { Guidance, GuidedFace } from './guidance';
import { jpegSize } from './jpeg-size';
import { drawLight, lightView, withReport } from './light';
import type { Lockout, Origin } from './lockout';
import { type CaptureNow, nextState } from './next-state';
import { nonceOf, notIssued, numberOf, outstanding } from './nonces';
import { SealedAttempt } from './sealed-attempt';
import { beginSigning, type FrameSignature, follow, isSignedBy, type Signing } from './signing';
import { beginning, drawMovements, hasAskedTurn, isDone, shownShare, turnsAfter } from './steps';

/** Observes each frame for metrics. */
export interface CaptureObserver {
  /** `unseen`: the inference tier had no capacity. */
  guided(guidance: Guidance | 'unseen'): void;
  refused(reason: RefusedFrame): void;
}

export interface CaptureParts {
  readonly store: Pick<SessionStore, 'beginAttempt'>;
  readonly captures: Pick<CaptureStore, 'expectFrame' | 'takeFrame' | 'countRefusedSignature'>;
  readonly lockout: Pick<Lockout, 'admit'>;
  readonly inference: Pick<InferenceClient, 'detect'>;
  readonly observer: CaptureObserver;
  /** How long an attempt accepts frames. */
  readonly attemptSeconds: number;
  /** How long a frame waits for its guidance. Default: a second, because later guidance is useless to a person. */
  readonly guidanceTimeoutMs?: number | undefined;
  /** Random by default. */
  readonly draw?: typeof drawMovements;
}

/** The client that begins an attempt, and the consent of its user. */
export interface Client {
  readonly origin: Origin;
  readonly camera: CameraReport;
  /** Version and language of the consent notice. */
  readonly notice?: string | undefined;
  readonly locale?: string | undefined;
  /** Signs the frames. */
  readonly publicKey?: CaptureKey | undefined;
  readonly clientFaults: readonly ClientFault[];
}

export type AttemptStarted = Immutable<LivenessAttemptResponse['data']>;
/** If the inference tier has no capacity, the response repeats the last guidance. */
export type FrameResponse = Immutable<LivenessFrameResponse['data']>;

export interface FrameSent {
  readonly attemptId: string;
  readonly nonce: string;
  /** One JPEG. */
  readonly image: Buffer;
  /** See `withReport`. */
  readonly shownMs?: number | undefined;
  readonly signature: FrameSignature | undefined;
  readonly clientFaults: readonly ClientFault[];
}

export type FrameCall = Omit<DetectCall, 'field' | 'attributes' | 'isFrame'>;

const { attemptStartsPerSession, attempt: attemptLimits, frame: frameLimits } = limits.liveness;

/** The frame is accepted without guidance after that time. */
const defaultGuidanceTimeoutMs = 1_000;
/** Other captures of the account free their memory when they get their verdict. */
const overBytesRetrySeconds = 2;

export class Capture {
  constructor(private readonly parts: CaptureParts) {}

  /** @throws ApiError SESSION_STATE_CONFLICT, INVALID_PARAMETERS, NOT_FOUND or SERVICE_UNAVAILABLE */
  async begin(
    session: Session,
    { origin, camera, notice, locale, publicKey, clientFaults }: Client,
  ): Promise<AttemptStarted> {
    const { store, attemptSeconds, draw = drawMovements } = this.parts;
    // It ends by itself, whatever a camera shows.
    if (session.testOutcome !== undefined) throw conflictOf(session.status, 'attempts');
    const attemptId = newAttemptId();
    const { level, lightChallenge } = session.policy;
    const movements = draw(turnsAfter(session.spent, level), level);
    const sealed = new SealedAttempt(session, attemptId);
    const light = lightChallenge === 'required' ? drawLight() : undefined;
    const state = sealed.sealState({
      progress: beginning,
      guidance: 'ok',
      kept: [],
      unseen: 0,
      clientFaults,
      ...(publicKey && { signing: beginSigning(publicKey) }),
      ...(light && { light }),
    });
    const changed = await store.beginAttempt(addressOf(session), {
      attemptId,
      ...origin,
      notice,
      locale,
      maxBegun: attemptStartsPerSession,
      fields: attemptFields(attemptId, {
        movements,
        timeoutMs: 1_000 * attemptSeconds,
        state,
        camera: sealed.sealCamera(camera),
      }),
    });
    if (!changed) throw sessionGone();
    // A synchronous webhook may still reject the session.
    const isUndecided = changed.session.undecided !== undefined;
    if (!changed.changed) throw conflictOf(isUndecided ? 'created' : changed.session.status, 'attempts');
    return {
      attemptId,
      steps: 1 + turnsBefore(movements, movements.length),
      step: stepAt(movements, 0),
      nonces: Array.from({ length: outstanding }, (_, i) => nonceOf(session.key, attemptId, i + 1)),
      ...(light && { light: lightView(light) }),
      frameIntervalMs: attemptLimits.frameIntervalMs,
      maxFrameBytes: frameLimits.maxBytes,
      timeoutSeconds: attemptSeconds,
    };
  }

  /**
   * @throws ApiError SESSION_STATE_CONFLICT, SESSION_EXPIRED, RATE_LIMIT_EXCEEDED, INVALID_IMAGE, INVALID_PARAMETERS,
   *   NOT_FOUND or SERVICE_UNAVAILABLE
   */
  async take(session: Session, sent: FrameSent, call: FrameCall): Promise<FrameResponse> {
    checkSize(sent.image);
    const { attemptId } = sent;
    const number = numberOf(session.key, attemptId, sent.nonce) ?? notIssued;
    // Do not analyze frames that will be refused.
    const expected = await this.parts.captures.expectFrame(addressOf(session), attemptId, number);
    if (expected.outcome !== 'expected') throw this.refusalOf(expected);
    const { signing } = new SealedAttempt(session, attemptId).openState(expected.attempt.state);
    if (signing && !isSigned(signing, sent)) throw await this.refusedSignature(session, attemptId);
    const faces = await this.analyze(sent.image, { ...call, accountId: session.accountId });
    const now = await this.store(session, { ...sent, number, faces }, expected.attempt);
    this.parts.observer.guided(faces ? now.state.guidance : 'unseen');
    return responseOf(session, attemptId, now);
  }

  /** @returns undefined if the inference tier has no capacity. */
  private async analyze(image: Buffer, call: FrameCall): Promise<readonly GuidedFace[] | undefined> {
    const { guidanceTimeoutMs = defaultGuidanceTimeoutMs } = this.parts;
    const { deadline, end } = deadlineIn(guidanceTimeoutMs, call.deadline);
    try {
      const options = { ...call, deadline, field: 'frame', attributes: ['pose'], isFrame: true };
      return (await this.parts.inference.detect(image, options)).faces;
    } catch (error) {
      if (error instanceof ApiError && (error.status === 503 || error.status === 504)) return undefined;
      throw error;
    } finally {
      end();
    }
  }

  /** Computes the state again if another frame was stored in between. */
  private async store(
    session: Session,
    { attemptId, number, image, shownMs, faces, ...sent }: FrameSent & Numbered,
    from: Attempt,
  ): Promise<Taken> {
    const sealed = new SealedAttempt(session, attemptId);
    const sealedImage = sealed.sealFrame(number, image);
    const { movements } = from;
    const asked = hasAskedTurn(sealed.openState(from.state).progress);
    for (let attempt = from; ; ) {
      const state = followed(sealed.openState(attempt.state), sent);
      if (!state) throw await this.refusedSignature(session, attemptId);
      const next = nextState({ movements, state }, number, faces);
      // First, so that the turn is never known without being counted.
      if (!asked && hasAskedTurn(next.state.progress)) await this.parts.lockout.admit(session);
      const taken = await this.parts.captures.takeFrame(addressOf(session), {
        attemptId,
        number,
        after: attempt.taken,
        image: next.isKept ? sealedImage : undefined,
        ...next,
        asksTurn: hasAskedTurn(next.state.progress),
        state: sealed.sealState(withReport(next.state, number, shownMs)),
      });
      switch (taken.outcome) {
        case 'taken':
          return { movements, state: next.state, taken: taken.taken };
        case 'outdated':
          attempt = { ...attempt, ...taken.attempt };
          break;
        default:
          throw this.refusalOf(taken);
      }
    }
  }

  private async refusedSignature(session: Session, attemptId: string): Promise<ApiError> {
    await this.parts.captures.countRefusedSignature(addressOf(session), attemptId);
    return this.refusalOf({ outcome: 'refused', reason: 'signature' });
  }

  private refusalOf(frame: NotTaken): ApiError {
    switch (frame.outcome) {
      case 'refused':
        this.parts.observer.refused(frame.reason);
        return new ApiError('SESSION_STATE_CONFLICT', {
          reason: 'frame',
          detail: `refused: ${frame.reason}`,
        });
      case 'status':
        return frame.status ? conflictOf(frame.status, 'attempt') : sessionGone();
      case 'overBytes':
        return sessionBytesExceeded(overBytesRetrySeconds);
      default:
        return conflictOf('started', frame.outcome === 'full' ? 'frames' : 'attempt');
    }
  }
}

/** An attempt after its newest frame. */
interface Taken extends CaptureNow {
  readonly taken: number;
}

interface Numbered {
  readonly number: number;
  readonly faces: readonly GuidedFace[] | undefined;
}

/** An attempt that began with a key stays signed. */
const isSigned = (signing: Signing, sent: FrameSent): boolean =>
  sent.signature !== undefined &&
  follow(signing, sent.signature) !== undefined &&
  isSignedBy(signing.key, sent, sent.signature);

/**
 * Adds a frame to the order of its attempt.
 * @returns undefined if another frame with the same sequence number has come in between.
 */
function followed(
  { signing, ...state }: CaptureState,
  { signature, clientFaults }: Pick<FrameSent, 'signature' | 'clientFaults'>,
): CaptureState | undefined {
  const next = { ...state, clientFaults: withFaults(state.clientFaults, clientFaults) };
  if (!signing) return next;
  const after = signature && follow(signing, signature);
  return after && { ...next, signing: after };
}

const turnsBefore = (movements: readonly Movement[], at: number): number =>
  movements.slice(0, at).filter((movement) => movement !== 'centre').length;

/**
 * The return before a repeated turn has the index of that turn. Otherwise the number of steps would show whether turns
 * repeat, before the attempt asks for one and counts.
 */
const stepAt = (movements: readonly Movement[], at: number): LivenessStep => ({
  index: at === 0 ? 0 : 1 + turnsBefore(movements, at),
  movement: movements[at] as Movement,
});

function responseOf(session: Session, attemptId: string, { movements, state, taken }: Taken): FrameResponse {
  const { progress, guidance } = state;
  const done = isDone(progress, movements);
  return {
    nonce: nonceOf(session.key, attemptId, taken + outstanding),
    guidance,
    step: stepAt(movements, done ? movements.length - 1 : progress.step),
    progress: done ? 1 : shownShare(progress),
    done,
  };
}

/** @throws ApiError INVALID_IMAGE if the frame is not a JPEG, INVALID_PARAMETERS if its width is out of range. */
function checkSize(image: Buffer): void {
  const size = jpegSize(image);
  if (!size) throw new ApiError('INVALID_IMAGE', { reason: 'format' });
  const { minWidth, maxWidth } = frameLimits;
  if (size.width >= minWidth && size.width <= maxWidth) return;
  const values = { width: size.width, minimum: minWidth, maximum: maxWidth };
  throw new ApiError('INVALID_PARAMETERS', { reason: 'frameWidth', values });
}
