/**
 * The states of the page and their transitions as a pure function, without access to gateway,
 * camera or clock. A state ignores unknown events, so that late responses are harmless.
 */
import type { Camera, CameraProblem } from './camera';
import type {
  Alternative,
  Attempt,
  Branding,
  Controller,
  FinalStatus,
  Guidance,
  Hint,
  Status,
  Step,
} from './wire';
import { isFinal } from './wire';

export interface Session {
  attemptsLeft: number;
  /** Milliseconds since 1970. */
  expiresAt: number;
  retentionSeconds: number;
  branding: Branding | undefined;
  returnUrl: string | undefined;
  /** Whether the live face is compared with a reference image. */
  hasReference: boolean;
  controller: Controller | undefined;
  alternative: Alternative | undefined;
  /** Days for which an image is kept for review; absent: none is. */
  auditImageDays?: number | undefined;
  /** Whether the person keeps the head still and moves the device. */
  movesDevice: boolean;
  /** Whether captures show changing colors. */
  showsLight?: boolean;
}

/** The reason why a capture must be restarted. */
export type Pause = 'hidden' | 'rotated' | 'cameraEnded' | 'timeout' | 'connection' | 'stopped' | 'replaced';
/** The reason why the page cannot work with this link, at this address or in this browser. */
export type Block =
  | 'linkInvalid'
  | 'unsupported'
  | 'insecure'
  | 'originNotAllowed'
  | 'otherDevice'
  | 'usedUp'
  | 'unknown';
export type Trouble = 'offline' | 'busy';
/** The problem of a person who does not get on. `movement`: the frames have no fault, but the movement is missing. */
export type Help = Exclude<Guidance, 'ok' | 'turned' | 'turnFurther'> | 'movement';

export interface Progress {
  guidance: Guidance;
  step: Step;
  /** Progress of this step, 0 to 1. */
  progress: number;
}

export type View =
  /** `isStalled`: the gateway has been unavailable for a while. */
  | { at: 'opening'; isStalled?: boolean }
  | { at: 'consent' }
  /** The session continues on a phone. */
  | { at: 'handover'; back: View; checking: boolean }
  /** The person cannot do the movements. */
  | { at: 'stillness'; back: View }
  /** The person looks for another way to complete the check. */
  | { at: 'otherWays'; back: View }
  /** `isOpen`: the camera is open, and its script still loads. */
  | { at: 'askingCamera'; isOpen?: boolean }
  | { at: 'cameraProblem'; problem: CameraProblem }
  | { at: 'beginning'; camera: Camera; isStalled?: boolean }
  | ({ at: 'capturing'; camera: Camera; attempt: Attempt; help?: Help } & Progress)
  | { at: 'paused'; why: Pause; help?: Help }
  /** `attemptId` is absent if the verdict is that of another tab or of the page before a reload. */
  | { at: 'judging'; attemptId?: string }
  | { at: 'retry'; hint: Hint }
  | { at: 'locked'; until: number }
  | { at: 'leaveAsked'; back: View }
  | { at: 'leaving' }
  | { at: 'redirecting'; url: string }
  | { at: 'ended'; status: FinalStatus; returnUrl?: string | undefined }
  | { at: 'blocked'; why: Block; requestId?: string | undefined };

export interface State {
  view: View;
  /** Known after the start of the session. */
  session: Session | null;
  /** The reason for a pending retry. */
  trouble: Trouble | null;
}

export type Event =
  | { type: 'blocked'; why: Block; requestId?: string | undefined }
  | {
      type: 'opened';
      session: Session;
      status: Status;
      redirectUrl: string | undefined;
      /** Whether the session allows only other kinds of device. */
      refusesDevice: boolean;
    }
  | { type: 'consented' }
  | { type: 'cameraOpened' }
  | { type: 'cameraReady'; camera: Camera }
  | { type: 'cameraFailed'; problem: CameraProblem }
  | { type: 'begun'; attempt: Attempt }
  | ({ type: 'progressed' } & Progress)
  /** The same prompt has stood for a while; most of its frames got this guidance. */
  | { type: 'stuck'; guidance: Guidance }
  | { type: 'captured' }
  | { type: 'interrupted'; why: Pause }
  | { type: 'restarted' }
  | { type: 'judged'; status: Status; attemptsLeft?: number; hint?: Hint; returnUrl?: string | undefined }
  | { type: 'locked'; until: number }
  | { type: 'ended'; status: FinalStatus; returnUrl?: string | undefined }
  | { type: 'handoverAsked' }
  | { type: 'followed'; status: Status; returnUrl?: string | undefined }
  | { type: 'stillnessAsked' }
  | { type: 'otherWaysAsked' }
  | { type: 'deviceChosen' }
  | { type: 'backAsked' }
  | { type: 'leaveAsked' }
  | { type: 'leaveDeclined' }
  | { type: 'leaveConfirmed' }
  | { type: 'troubled'; trouble: Trouble | null }
  /** The trouble has lasted for a while. */
  | { type: 'stalled' };

export const INITIAL: State = { view: { at: 'opening' }, session: null, trouble: null };

/** Final views. */
export const LAST: readonly View['at'][] = ['ended', 'blocked', 'redirecting'];

export function reduce(state: State, event: Event): State {
  const { view } = state;
  if (LAST.includes(view.at) && event.type !== 'handoverAsked' && !(isHeld(state) && event.type === 'ended'))
    return state;
  if (event.type === 'troubled') {
    return event.trouble === state.trouble ? state : { ...state, trouble: event.trouble };
  }
  const next = nextView(view, event);
  if (next === view) return state;
  // Within a view, only a call that succeeds ends the trouble.
  const trouble = next.at === view.at ? state.trouble : null;
  return { view: next, session: nextSession(state.session, event), trouble };
}

function nextView(view: View, event: Event): View {
  switch (event.type) {
    case 'blocked':
      return { at: 'blocked', why: event.why, requestId: event.requestId };
    case 'ended':
      return { at: 'ended', status: event.status, returnUrl: event.returnUrl };
    case 'opened':
      return view.at === 'opening' ? opened(event) : view;
    case 'consented':
      return view.at === 'consent' ? { at: 'askingCamera' } : view;
    case 'restarted':
      return isRestartable(view) ? { at: 'askingCamera' } : view;
    case 'cameraOpened':
      return view.at === 'askingCamera' ? { at: 'askingCamera', isOpen: true } : view;
    case 'cameraReady':
      return view.at === 'askingCamera' ? { at: 'beginning', camera: event.camera } : view;
    case 'cameraFailed':
      return view.at === 'askingCamera' ? { at: 'cameraProblem', problem: event.problem } : view;
    case 'begun':
      return view.at === 'beginning' ? capturing(view.camera, event.attempt) : view;
    case 'progressed':
      return view.at === 'capturing' ? progressed(view, event) : view;
    case 'stuck':
      return view.at === 'capturing' ? { ...view, help: helpFor(event.guidance) } : view;
    case 'interrupted':
      return usesCamera(view) || view.at === 'judging' ? interrupted(view, event.why) : view;
    case 'captured':
      return view.at === 'capturing' ? { at: 'judging', attemptId: view.attempt.attemptId } : view;
    case 'judged':
      return view.at === 'judging' ? judged(view, event) : view;
    case 'locked':
      return usesCamera(view) || view.at === 'judging' ? { at: 'locked', until: event.until } : view;
    case 'handoverAsked':
      return continuesElsewhere(view) ? { at: 'handover', back: stopped(view), checking: false } : view;
    case 'followed':
      return view.at === 'handover' ? followed(view, event) : view;
    case 'stillnessAsked':
      return view.at === 'consent' || isTry(view) ? { at: 'stillness', back: stopped(view) } : view;
    case 'otherWaysAsked':
      return isTry(view) ? { at: 'otherWays', back: stopped(view) } : view;
    case 'deviceChosen':
      return view.at === 'stillness' || view.at === 'otherWays' ? begunAgain(view.back) : view;
    case 'backAsked':
      return view.at === 'handover' || view.at === 'stillness' || view.at === 'otherWays' ? view.back : view;
    case 'leaveAsked':
      return mayLeave(view) ? { at: 'leaveAsked', back: stopped(view) } : view;
    case 'leaveDeclined':
      return view.at === 'leaveAsked' ? view.back : view;
    case 'leaveConfirmed':
      return view.at === 'leaveAsked' ? { at: 'leaving' } : view;
    case 'stalled':
      return view.at === 'opening' || view.at === 'beginning' ? { ...view, isStalled: true } : view;
    case 'troubled':
      return view;
  }
}

function opened({ status, redirectUrl, refusesDevice }: Extract<Event, { type: 'opened' }>): View {
  if (redirectUrl) return { at: 'redirecting', url: redirectUrl };
  if (isFinal(status)) return { at: 'ended', status };
  if (status === 'checking') return { at: 'judging' };
  return refusesDevice ? { at: 'blocked', why: 'otherDevice' } : { at: 'consent' };
}

/** Whether the session may continue on a phone. */
const continuesElsewhere = (view: View) =>
  view.at === 'consent' ||
  view.at === 'otherWays' ||
  view.at === 'cameraProblem' ||
  isTry(view) ||
  (view.at === 'blocked' && view.why === 'otherDevice');

const capturing = (camera: Camera, attempt: Attempt): View => ({
  at: 'capturing',
  camera,
  attempt,
  guidance: 'ok',
  step: attempt.step,
  progress: 0,
});

/** A step that repeats a turn first asks the person to look straight ahead. */
export const isSamePrompt = (a: Step, b: Step): boolean => a.index === b.index && a.movement === b.movement;

/** The next prompt needs no help for the last one. */
function progressed(
  { help, ...view }: Extract<View, { at: 'capturing' }>,
  { guidance, step, progress }: Progress,
): View {
  const isSame = isSamePrompt(step, view.step);
  return { ...view, guidance, step, progress, ...(isSame && help && { help }) };
}

const helpFor = (guidance: Guidance): Help =>
  guidance === 'ok' || guidance === 'turned' || guidance === 'turnFurther' ? 'movement' : guidance;

/** A capture that ran out of time leads to what would have helped. */
function interrupted(view: View, why: Pause): View {
  const help = view.at === 'capturing' && why === 'timeout' ? view.help : undefined;
  return { at: 'paused', why, ...(help && { help }) };
}

function followed(
  view: Extract<View, { at: 'handover' }>,
  { status, returnUrl }: Extract<Event, { type: 'followed' }>,
): View {
  if (isFinal(status)) return { at: 'ended', status, returnUrl };
  const checking = status === 'checking';
  return checking === view.checking ? view : { ...view, checking };
}

/** A stopped capture begins again, and the consent is still missing. */
const begunAgain = (view: View): View => (isTry(view) ? { at: 'askingCamera' } : view);

/** `checking` changes nothing. */
function judged(view: View, { status, hint = 'retry' }: Extract<Event, { type: 'judged' }>): View {
  if (isFinal(status)) return { at: 'ended', status };
  return status === 'checking' ? view : { at: 'retry', hint };
}

function nextSession(session: Session | null, event: Event): Session | null {
  if (event.type === 'opened') return event.session;
  if (event.type === 'deviceChosen' && session) return { ...session, movesDevice: true };
  if (event.type !== 'judged' || !session) return session;
  const { attemptsLeft = session.attemptsLeft, returnUrl = session.returnUrl } = event;
  return { ...session, attemptsLeft, returnUrl };
}

export const usesCamera = (view: View): view is Extract<View, { camera: Camera }> =>
  view.at === 'beginning' || view.at === 'capturing';

/** A capture, or a pause between two. */
const isTry = (view: View) => usesCamera(view) || view.at === 'paused' || view.at === 'retry';

const isRestartable = ({ at }: View) => ['cameraProblem', 'paused', 'retry', 'locked'].includes(at);

/** Whether the session is open although this page cannot go on. The link may still work elsewhere after `otherDevice`. */
const isStranded = (view: View) => view.at === 'blocked' && (view.why === 'usedUp' || view.why === 'unknown');

/** Whether the session has started and, as far as this page knows, not ended. */
const isOpen = ({ session, view }: State) =>
  session !== null && (!LAST.includes(view.at) || isStranded(view));

/** Whether this page runs the session: it counts as left when the page closes. */
export const isHeld = (state: State) => isOpen(state) && state.view.at !== 'handover';

/**
 * Whether this page, without frames or a verdict under way, must report that the person is still there. So must a page that
 * waits for a phone: the person may close the phone's page and open the link again.
 */
export const needsKeepAlive = (state: State) =>
  isOpen(state) && !usesCamera(state.view) && state.view.at !== 'judging';

/** Whether the session expires before the lock-out ends. */
export const isLockedOut = ({ view, session }: State) =>
  view.at === 'locked' && session !== null && view.until >= session.expiresAt;

/** A session cannot be cancelled before its start or during the verdict. */
export const mayLeave = ({ at }: View) =>
  !['opening', 'judging', 'leaveAsked', 'leaving', ...LAST].includes(at);

/** The view after declining to leave. A capture restarts, because it does not continue behind the question. */
const stopped = (view: View): View =>
  usesCamera(view) || view.at === 'askingCamera' ? { at: 'paused', why: 'stopped' } : view;
