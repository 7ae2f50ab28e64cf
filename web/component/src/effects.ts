/** The effects of views: calls, camera, listeners. An effect's signal aborts when the view changes. */
import { closeCamera, missingFeature, openCamera, settingsOf } from './camera';
import { deviceId, deviceType } from './device';
import { type Meaning, meaningOf } from './failures';
import { createGateway, type Failure, type Gateway, type Result, within } from './gateway';
import type { Link } from './link';
import type { Event, State, Trouble, View } from './machine';
import { persist, rest } from './persist';
import { apiAddress, webAddress } from './return-url';
import type { Signer } from './sign';
import { isFinal, type Start } from './wire';

/** The session that the element was given, and its gateway once the session is open. */
export interface Page {
  /** null if the access token is malformed. */
  readonly link: Link | null;
  /** Address of the gateway; null if the site of the link knows it. */
  readonly apiUrl: string | null;
  /** The link to the hosted page, without which only the access token is known. */
  readonly sessionUrl: string | null;
  gateway: Gateway | null;
  /** The script that sends frames, once it has loaded. */
  stream?: FrameStream | undefined;
  /** Null in browsers that cannot sign. */
  signer?: Signer | null;
}

type FrameStream = typeof import('./frame-stream');

/** The consent text that the person sees. */
export interface Notice {
  consentNotice: string;
  consentLocale: string;
}

export interface Context {
  state: State;
  page: Page;
  /** The preview, in the views that use the camera. */
  video(): HTMLVideoElement | undefined;
  notice: Notice;
  /** Resolves when texts in the language of the session are there. */
  speak(locale: string | undefined): Promise<void>;
  signal: AbortSignal;
  dispatch(event: Event): void;
}

type Effects = { [At in View['at']]?: (context: Context & { view: Extract<View, { at: At }> }) => unknown };

/** Contains the address of the gateway. The server of the hosted page provides it. */
const CONFIG_PATH = '/api-config.json';
const CONFIG_TIMEOUT_MS = 10_000;
const STREAM_TIMEOUT_MS = 15_000;
/** Trouble of that length leads to an offer of other ways. */
const STALLED_MS = 20_000;
const POLL_MS = 2000;
/** The pause between two calls that follow a session on a phone. */
const FOLLOW_GROWTH = 1.2;
const MAX_FOLLOW_MS = 5000;

const EFFECTS: Effects = {
  opening,
  handover,
  askingCamera,
  beginning,
  capturing,
  judging,
  leaving,
  redirecting,
};

export function runEffect(context: Context): void {
  const { view } = context.state;
  const effect = EFFECTS[view.at] as ((context: Context & { view: View }) => unknown) | undefined;
  effect?.({ ...context, view });
}

async function opening(context: Context) {
  const { page, dispatch } = context;
  if (!page.link) return dispatch({ type: 'blocked', why: 'linkInvalid' });
  const missing = missingFeature(window);
  if (missing) return dispatch({ type: 'blocked', why: missing });
  const config = await insist(context, (signal) => readConfig(page, signal));
  if (!config.ok) return settle(context, config.failure);
  const apiUrl = apiAddress(config.data.apiUrl);
  if (apiUrl === null) {
    // biome-ignore lint/suspicious/noConsole: the developer of the page reads it
    console.error(`<presenza-liveness>: api-url is not the address of an API: ${config.data.apiUrl}`);
    return dispatch({ type: 'blocked', why: 'unknown' });
  }
  page.gateway = createGateway(apiUrl, page.link, window.fetch.bind(window));
  const result = await insist(context, page.gateway.start);
  if (!result.ok) return settle(context, result.failure);
  await context.speak(result.data.locale);
  dispatch(opened(result.data));
}

async function readConfig(
  { apiUrl, sessionUrl }: Page,
  signal: AbortSignal,
): Promise<Result<{ apiUrl: string }>> {
  if (apiUrl !== null) return { ok: true, data: { apiUrl } };
  return within(CONFIG_TIMEOUT_MS, signal, async (signal) => {
    const response = await fetch(new URL(CONFIG_PATH, sessionUrl ?? undefined).href, {
      cache: 'no-cache',
      signal,
    });
    return { ok: true, data: await response.json() };
  });
}

function opened(start: Start): Event {
  const { status, redirectUrl, sessionExpiresAt, attemptsLeft, retentionSeconds, branding, returnUrl } =
    start;
  const { hasReference = false, controller, alternative, auditImageDays } = start;
  const showsLight = start.lightChallenge === 'required';
  const refusesDevice = start.devices !== undefined && !start.devices.includes(deviceType(navigator));
  const session = {
    attemptsLeft,
    expiresAt: Date.parse(sessionExpiresAt),
    retentionSeconds,
    branding,
    returnUrl,
    hasReference,
    controller,
    alternative,
    auditImageDays,
    movesDevice: false,
    showsLight,
  };
  return { type: 'opened', session, status, redirectUrl, refusesDevice };
}

/** Opens the camera, and meanwhile loads the script that sends its frames. */
async function askingCamera(context: Context) {
  const { page, signal, dispatch } = context;
  const loading = loadStream(context);
  const camera = await openCamera(navigator);
  if (typeof camera === 'string') return dispatch({ type: 'cameraFailed', problem: camera });
  if (!page.stream) dispatch({ type: 'cameraOpened' });
  page.stream = await loading;
  if (page.stream && !signal.aborted) return dispatch({ type: 'cameraReady', camera });
  closeCamera(camera);
  if (!signal.aborted) dispatch({ type: 'blocked', why: 'unknown' });
}

/** Tries again once the connection is back. Some browsers remember that a script failed until the page is loaded anew. */
async function loadStream(context: Context): Promise<FrameStream | undefined> {
  const { page, signal } = context;
  const load = () =>
    Promise.race([
      import(/* webpackChunkName: "frame-stream" */ './frame-stream'),
      rest(STREAM_TIMEOUT_MS, signal).then(() => undefined),
    ]).catch(() => undefined);
  const stream = await load();
  if (stream || signal.aborted) return stream;
  await insist(context, gatewayOf(page).read);
  return load();
}

async function beginning({ view, ...context }: Context & { view: Extract<View, { at: 'beginning' }> }) {
  const { page, notice, signal, dispatch } = context;
  const { camera } = view;
  streamOf(page).watchCamera(camera.stream, context);
  const device = { id: deviceId(window), type: deviceType(navigator), camera: settingsOf(camera) };
  page.signer ??= await streamOf(page).createSigner(crypto);
  const key = page.signer && { publicKey: page.signer.publicKey };
  const request = { consent: true, ...notice, device, ...key } as const;
  const result = await insist(context, (signal) => gatewayOf(page).begin(request, signal));
  if (signal.aborted) return;
  if (result.ok) dispatch({ type: 'begun', attempt: result.data });
  else await settle(context, result.failure);
}

function capturing({ view, ...context }: Context & { view: Extract<View, { at: 'capturing' }> }) {
  const { page, signal, dispatch, video } = context;
  const { attempt, camera } = view;
  const preview = video();
  if (!preview) return;
  streamOf(page).watchCamera(camera.stream, context);
  streamOf(page).streamFrames({
    attempt,
    preview,
    gateway: gatewayOf(page),
    signer: page.signer,
    signal,
    dispatch,
    onRefused: (meaning) => void settleMeaning(context, meaning),
  });
}

async function judging({ view, ...context }: Context & { view: Extract<View, { at: 'judging' }> }) {
  const { page, signal, dispatch } = context;
  const { attemptId } = view;
  if (attemptId === undefined) return awaitVerdict(context);
  const result = await insist(context, (signal) => gatewayOf(page).complete(attemptId, signal));
  if (signal.aborted) return;
  if (!result.ok) return settle(context, result.failure);
  const { lockedUntil, ...outcome } = result.data;
  if (lockedUntil && !isFinal(outcome.status)) dispatch({ type: 'locked', until: Date.parse(lockedUntil) });
  else dispatch({ type: 'judged', ...outcome });
}

/** Waits for the verdict of another tab, or of this page before a reload. */
async function awaitVerdict(context: Context) {
  const { page, signal, dispatch } = context;
  while (!signal.aborted) {
    const result = await insist(context, gatewayOf(page).read);
    if (signal.aborted) return;
    if (!result.ok) return settle(context, result.failure);
    const { status, returnUrl } = result.data;
    dispatch({ type: 'judged', status, returnUrl });
    await rest(POLL_MS, signal);
  }
}

/** Follows the session on the phone with calls that become rarer. */
async function handover(context: Context) {
  const { page, signal, dispatch } = context;
  for (let tries = 0; !signal.aborted; tries++) {
    const result = await insist(context, gatewayOf(page).read);
    if (signal.aborted) return;
    if (!result.ok) return settle(context, result.failure);
    const { status, returnUrl } = result.data;
    dispatch({ type: 'followed', status, returnUrl });
    await rest(Math.min(POLL_MS * FOLLOW_GROWTH ** tries, MAX_FOLLOW_MS), signal);
  }
}

async function leaving(context: Context) {
  const result = await insist(context, gatewayOf(context.page).cancel);
  if (!result.ok) return settle(context, result.failure);
  const { status } = result.data;
  context.dispatch({ type: 'ended', status: isFinal(status) ? status : 'cancelled' });
}

function redirecting({ view, dispatch }: Context & { view: Extract<View, { at: 'redirecting' }> }) {
  const url = webAddress(view.url);
  if (url) window.location.replace(url.href);
  else dispatch({ type: 'blocked', why: 'unknown' });
}

/** Retries a call until the gateway responds. Only the gateway knows whether the session has expired: a device's clock may be wrong. */
async function insist<T>(
  { signal, dispatch }: Context,
  call: (signal: AbortSignal) => Promise<Result<T>>,
): Promise<Result<T>> {
  const timer = setTimeout(() => dispatch({ type: 'stalled' }), STALLED_MS);
  const onTrouble = (trouble: Trouble) => dispatch({ type: 'troubled', trouble });
  const result = await persist(call, { signal, onTrouble });
  clearTimeout(timer);
  dispatch({ type: 'troubled', trouble: null });
  return result;
}

const settle = (context: Context, failure: Failure) => settleMeaning(context, meaningOf(failure));

/** Handles a permanent rejection. */
export async function settleMeaning(context: Context, meaning: Meaning): Promise<void> {
  const { page, signal, dispatch } = context;
  switch (meaning.kind) {
    // Retries end only with the view.
    case 'wait':
      return;
    case 'expired':
      return dispatch({ type: 'ended', status: 'expired' });
    case 'linkInvalid':
      return dispatch({ type: 'blocked', why: 'linkInvalid' });
    case 'locked':
      return dispatch({ type: 'locked', until: Date.now() + meaning.afterMs });
    case 'otherDevice':
    case 'originNotAllowed':
      return dispatch({ type: 'blocked', why: meaning.kind });
    case 'replaced':
      return dispatch({ type: 'interrupted', why: 'replaced' });
    case 'frameRefused':
    case 'framesUsedUp':
      return dispatch({ type: 'interrupted', why: 'timeout' });
    case 'unknown':
      return dispatch({ type: 'blocked', why: 'unknown', requestId: meaning.requestId });
  }
  const result = await insist(context, gatewayOf(page).read);
  if (signal.aborted) return;
  if (!result.ok) {
    const next = meaningOf(result.failure);
    return next.kind === 'ended'
      ? dispatch({ type: 'blocked', why: 'unknown' })
      : settleMeaning(context, next);
  }
  const { status, returnUrl } = result.data;
  dispatch(isFinal(status) ? { type: 'ended', status, returnUrl } : { type: 'blocked', why: 'usedUp' });
}

function gatewayOf({ gateway }: Page): Gateway {
  if (!gateway) throw new Error('The session has not been opened.');
  return gateway;
}

/** @throws Error before the camera was opened */
export function streamOf({ stream }: Page): FrameStream {
  if (!stream) throw new Error('The camera has not been opened.');
  return stream;
}
