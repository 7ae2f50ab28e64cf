/** What each view does: calls, camera, listeners. A view's effect ends with its signal when the view is left. */
import type { RefObject } from 'react';
import { closeCamera, missingFeature, openCamera, settingsOf } from './camera';
import { runCapture } from './capture';
import { deviceId } from './device';
import { type Meaning, meaningOf } from './failures';
import { createGrabber } from './frames';
import { type Answer, createGateway, type Failure, type Gateway } from './gateway';
import { type Link, takeLink } from './link';
import type { Event, State, View } from './machine';
import { persist, rest } from './persist';
import { webAddress } from './return-url';
import { isFinal, type Start } from './wire';

/** What outlives the views. */
export interface Page {
  link: Link | null;
  gateway: Gateway | null;
}

export interface Context {
  state: State;
  page: Page;
  video: RefObject<HTMLVideoElement | null>;
  /** Version of the words that the person agrees to. */
  notice: string;
  signal: AbortSignal;
  tell(event: Event): void;
}

type Effects = { [At in View['at']]?: (context: Context & { view: Extract<View, { at: At }> }) => unknown };

/** Says where the gateway is; written by whoever serves the page. */
const CONFIG_URL = '/verify-config.json';
const CONFIG_TIMEOUT_MS = 10_000;
const POLL_MS = 2000;

const EFFECTS: Effects = { opening, askingCamera, beginning, capturing, judging, leaving, redirecting };

export function runEffect(context: Context): void {
  const { view } = context.state;
  const effect = EFFECTS[view.at] as ((context: Context & { view: View }) => unknown) | undefined;
  effect?.({ ...context, view });
}

async function opening(context: Context) {
  const { page, tell } = context;
  page.link ??= takeLink(window);
  if (!page.link) return tell({ type: 'blocked', why: 'linkInvalid' });
  const missing = missingFeature(window);
  if (missing) return tell({ type: 'blocked', why: missing });
  const config = await insist(context, readConfig);
  if (!config.ok) return settle(context, config.failure);
  page.gateway = createGateway(config.data.apiUrl, page.link, window.fetch.bind(window));
  const answer = await insist(context, page.gateway.start);
  if (answer.ok) tell(opened(answer.data));
  else await settle(context, answer.failure);
}

async function readConfig(signal: AbortSignal): Promise<Answer<{ apiUrl: string }>> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  const timer = setTimeout(stop, CONFIG_TIMEOUT_MS);
  signal.addEventListener('abort', stop);
  try {
    const response = await fetch(CONFIG_URL, { cache: 'no-cache', signal: abort.signal });
    return { ok: true, data: await response.json() };
  } catch {
    return { ok: false, failure: { kind: 'network' } };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

function opened(start: Start): Event {
  const { status, redirectUrl, sessionExpiresAt, attemptsLeft, retentionSeconds, branding, returnUrl } =
    start;
  const session = {
    attemptsLeft,
    expiresAt: Date.parse(sessionExpiresAt),
    retentionSeconds,
    branding,
    returnUrl,
  };
  return { type: 'opened', session, status, redirectUrl };
}

async function askingCamera({ signal, tell }: Context) {
  const camera = await openCamera(navigator);
  if (typeof camera === 'string') return tell({ type: 'cameraFailed', problem: camera });
  if (signal.aborted) closeCamera(camera);
  else tell({ type: 'cameraReady', camera });
}

async function beginning({ view, ...context }: Context & { view: Extract<View, { at: 'beginning' }> }) {
  const { page, notice, signal, tell } = context;
  const { camera } = view;
  watchCapture(camera.stream, context);
  const device = { id: deviceId(window), camera: settingsOf(camera) };
  const request = { consent: true, consentNotice: notice, device } as const;
  const answer = await insist(context, (signal) => gatewayOf(page).begin(request, signal));
  if (signal.aborted) return;
  if (answer.ok) tell({ type: 'begun', attempt: answer.data });
  else await settle(context, answer.failure);
}

function capturing({ view, ...context }: Context & { view: Extract<View, { at: 'capturing' }> }) {
  const { page, signal, tell, video } = context;
  const { attempt, camera } = view;
  if (!video.current) return;
  watchCapture(camera.stream, context);
  runCapture({
    attempt,
    grab: createGrabber(video.current, attempt.maxFrameBytes),
    send: (nonce, jpeg) => gatewayOf(page).sendFrame({ attemptId: attempt.attemptId, nonce, jpeg }, signal),
    rest: (ms) => rest(ms, signal),
    signal,
    onAnswer: ({ done, guidance, step, progress }) =>
      tell(done ? { type: 'captured' } : { type: 'progressed', guidance, step, progress }),
    onTrouble: (trouble) => tell({ type: 'troubled', trouble }),
    onInterrupted: (why) => tell({ type: 'interrupted', why }),
    onRefused: (meaning) => void settleMeaning(context, meaning),
  });
}

/** What ends a capture from outside: the page is hidden, the phone turned, the camera gone. */
function watchCapture(stream: MediaStream, { signal, tell }: Context) {
  const hidden = () => document.hidden && tell({ type: 'interrupted', why: 'hidden' });
  const left = () => tell({ type: 'interrupted', why: 'hidden' });
  const rotated = () => tell({ type: 'interrupted', why: 'rotated' });
  const ended = () => tell({ type: 'interrupted', why: 'cameraEnded' });
  const tracks = stream.getVideoTracks();
  document.addEventListener('visibilitychange', hidden);
  window.addEventListener('pagehide', left);
  // Of phones and tablets alone: a window of another size is none.
  window.addEventListener('orientationchange', rotated);
  for (const track of tracks) track.addEventListener('ended', ended);
  signal.addEventListener('abort', () => {
    document.removeEventListener('visibilitychange', hidden);
    window.removeEventListener('pagehide', left);
    window.removeEventListener('orientationchange', rotated);
    for (const track of tracks) track.removeEventListener('ended', ended);
  });
}

async function judging({ view, ...context }: Context & { view: Extract<View, { at: 'judging' }> }) {
  const { page, signal, tell } = context;
  const { attemptId } = view;
  if (attemptId === undefined) return awaitVerdict(context);
  const answer = await insist(context, (signal) => gatewayOf(page).complete(attemptId, signal));
  if (signal.aborted) return;
  if (!answer.ok) return settle(context, answer.failure);
  const { lockedUntil, ...outcome } = answer.data;
  if (lockedUntil && !isFinal(outcome.status)) tell({ type: 'locked', until: Date.parse(lockedUntil) });
  else tell({ type: 'judged', ...outcome });
}

/** The capture of another tab, or of this page before it was loaded anew. */
async function awaitVerdict(context: Context) {
  const { page, signal, tell } = context;
  while (!signal.aborted) {
    const answer = await insist(context, gatewayOf(page).read);
    if (signal.aborted) return;
    if (!answer.ok) return settle(context, answer.failure);
    tell({ type: 'judged', status: answer.data.status });
    await rest(POLL_MS, signal);
  }
}

async function leaving(context: Context) {
  const answer = await insist(context, gatewayOf(context.page).cancel);
  if (!answer.ok) return settle(context, answer.failure);
  const { status } = answer.data;
  context.tell({ type: 'ended', status: isFinal(status) ? status : 'cancelled' });
}

function redirecting({ view, tell }: Context & { view: Extract<View, { at: 'redirecting' }> }) {
  const url = webAddress(view.url);
  if (url) window.location.replace(url.href);
  else tell({ type: 'blocked', why: 'unknown' });
}

/** Repeats a call through trouble until the session's time is over. */
async function insist<T>(
  { state, signal, tell }: Context,
  call: (signal: AbortSignal) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const expiresAt = state.session?.expiresAt ?? Number.POSITIVE_INFINITY;
  const answer = await persist(call, {
    signal,
    onTrouble: (trouble) => tell({ type: 'troubled', trouble }),
    worthwhile: () => Date.now() < expiresAt,
  });
  tell({ type: 'troubled', trouble: null });
  return answer;
}

const settle = (context: Context, failure: Failure) => settleMeaning(context, meaningOf(failure));

/** What follows from a refusal that no repetition mends. */
async function settleMeaning(context: Context, meaning: Meaning): Promise<void> {
  const { page, signal, tell } = context;
  switch (meaning.kind) {
    // The only trouble that reaches this place has outlasted the session.
    case 'wait':
    case 'expired':
      return tell({ type: 'ended', status: 'expired' });
    case 'linkInvalid':
      return tell({ type: 'blocked', why: 'linkInvalid' });
    case 'locked':
      return tell({ type: 'locked', until: Date.now() + meaning.afterMs });
    case 'replaced':
      return tell({ type: 'interrupted', why: 'replaced' });
    case 'frameRefused':
    case 'framesUsedUp':
      return tell({ type: 'interrupted', why: 'timeout' });
    case 'unknown':
      return tell({ type: 'blocked', why: 'unknown', requestId: meaning.requestId });
  }
  const answer = await insist(context, gatewayOf(page).read);
  if (signal.aborted) return;
  if (!answer.ok) {
    const next = meaningOf(answer.failure);
    return next.kind === 'ended' ? tell({ type: 'blocked', why: 'unknown' }) : settleMeaning(context, next);
  }
  const { status } = answer.data;
  tell(isFinal(status) ? { type: 'ended', status } : { type: 'blocked', why: 'usedUp' });
}

function gatewayOf({ gateway }: Page): Gateway {
  if (!gateway) throw new Error('The session is not open yet.');
  return gateway;
}
