/**
 * Shows one session in an element, from the first call to the outcome.
 *
 * The button Leave cancels the session. The event pagehide does not reveal whether the page is closed, reloaded or left
 * by the back button, and a cancellation is final. So the page only notifies the gateway that the person leaves, which
 * cancels the session unless somebody opens it again within seconds. Phones end background pages without any event: then
 * the session expires a few minutes later.
 */
import { consentScreen } from './consent-screen';
import { type Page, streamOf } from './effects';
import type { LivenessEvents } from './events';
import { createFrame, type Frame } from './frame';
import { handoverScreen } from './handover';
import { otherWaysScreen } from './help';
import { loadTexts } from './languages';
import { parseLink } from './link';
import { type Block, isSamePrompt, mayLeave, type State, usesCamera } from './machine';
import { messageScreen } from './message-screen';
import { watchPalette } from './palette';
import type { Screen, ScreenContext } from './screen';
import { stillnessScreen } from './stillness';
import { type Texts, textOf } from './texts';
import { Verification } from './verification';

/** The address of the session. A session URL contains the token, and its site knows the address of the API. */
interface Source {
  token: string | null;
  sessionUrl: string | null;
  apiUrl: string | null;
}

interface Run {
  readonly page: Page;
  readonly verification: Verification;
  readonly sessionId: string | null;
}

interface Shown extends Screen {
  readonly state: State;
  readonly abort: AbortController;
}

export class SessionView {
  private source: Source = { token: null, sessionUrl: null, apiUrl: null };
  /** Texts that the page set, or else those of the package. */
  private customTexts: Texts | null = null;
  private texts: Texts | undefined;
  /** The language of the session, which its account chose. */
  private sessionLocale = '';
  private frame: Frame | undefined;
  private run: Run | undefined;
  private shown: Shown | undefined;
  /** Aborts when the element is removed or gets another session. */
  private life = new AbortController();
  private isPlanned = false;

  constructor(private readonly host: HTMLElement) {}

  give(source: Partial<Source>): void {
    Object.assign(this.source, source);
    this.plan();
  }

  translate(texts: Texts | null): void {
    this.customTexts = texts;
    this.changeLanguage();
  }

  changeLanguage(): void {
    if (this.run) void this.chooseTexts(this.life.signal);
  }

  connect(): void {
    const leave = () => this.run?.verification.dispatch({ type: 'leaveAsked' });
    this.frame ??= createFrame(this.host, leave);
    this.plan();
  }

  end(): void {
    this.life.abort();
    this.run?.verification.stop();
    this.run = undefined;
    this.discardScreen();
  }

  /** Starts once all properties of this task are set, and again for another session. */
  private plan(): void {
    if (this.isPlanned) return;
    this.isPlanned = true;
    void Promise.resolve().then(() => {
      this.isPlanned = false;
      const { token, sessionUrl, apiUrl } = this.source;
      if (!this.host.isConnected) return;
      if (sessionUrl !== null || (token !== null && apiUrl !== null)) void this.begin();
      // biome-ignore lint/suspicious/noConsole: the developer of the page reads it
      else if (token !== null) console.error('<presenza-liveness>: the access token needs an api-url.');
    });
  }

  private async begin(): Promise<void> {
    this.end();
    this.sessionLocale = '';
    const life = new AbortController();
    this.life = life;
    await this.chooseTexts(life.signal);
    if (life.signal.aborted) return;
    const { token, sessionUrl, apiUrl } = this.source;
    const link = parseLink(token ?? sessionUrl?.split('#')[1] ?? '');
    const page = { link, apiUrl, sessionUrl, gateway: null };
    const verification = new Verification(page, {
      show: (state, before) => this.show(state, before),
      video: () => this.shown?.video,
      notice: () => ({
        consentNotice: this.texts?.consent.notice ?? '',
        consentLocale: this.texts?.locale ?? '',
      }),
      speak: async (locale = '') => {
        if (locale === '') return;
        this.sessionLocale = locale;
        await this.chooseTexts(life.signal);
      },
    });
    this.run = { page, verification, sessionId: link ? link.sessionId : null };
    verification.start();
  }

  /** The session's language wins over the attribute lang, and that over the browser's languages. A running capture keeps its texts. */
  private async chooseTexts(signal: AbortSignal): Promise<void> {
    const wanted = [this.sessionLocale, this.host.lang, ...navigator.languages].filter(Boolean);
    const texts = this.customTexts ?? (await loadTexts(wanted, signal));
    if (signal.aborted) return;
    this.texts = texts;
    this.frame?.speak(texts);
    const { locale, direction, checkBy: title } = texts;
    this.emit('presenza-language', { locale, direction, title });
    if (!this.shown || usesCamera(this.shown.state.view)) return;
    const hadFocus = this.host.shadowRoot?.activeElement;
    this.draw(this.shown.state);
    if (hadFocus) this.focusHeading();
  }

  private show(state: State, before: State | null): void {
    const { view, session, trouble } = state;
    if (session && !before?.session) this.brand(session);
    if (this.shown && isSameScreen(state, before)) {
      this.shown = { ...this.shown, state };
      this.shown.update?.(state);
    } else {
      this.draw(state);
      if (before) this.focusHeading();
    }
    const text = trouble && this.texts && !usesCamera(view) ? textOf(this.texts.trouble, trouble) : '';
    this.frame?.update({ trouble: text, mayLeave: mayLeave(view) });
    this.report(state, before);
  }

  private draw(state: State): void {
    const { frame, run, texts, source, host } = this;
    if (!frame || !run || !texts) return;
    const abort = new AbortController();
    const screen = screenOf(run.page, {
      state,
      texts,
      asker: state.session?.branding?.name ?? texts.sender,
      address: source.sessionUrl,
      sessionId: run.sessionId,
      autoReturn: host.hasAttribute('auto-return'),
      signal: abort.signal,
      dispatch: run.verification.dispatch,
    });
    this.discardScreen();
    this.shown = { ...screen, state, abort };
    frame.show(screen.element);
  }

  private discardScreen(): void {
    this.shown?.abort.abort();
    this.shown?.dispose?.();
    this.shown = undefined;
  }

  /** A field of the surrounding page keeps the focus. */
  private focusHeading(): void {
    const { host } = this;
    const { activeElement } = host.getRootNode() as Document | ShadowRoot;
    if (activeElement && !activeElement.contains(host)) return;
    this.shown?.heading.focus({ preventScroll: true });
    if (host.getBoundingClientRect().top < 0) host.scrollIntoView();
  }

  private brand({ branding }: NonNullable<State['session']>): void {
    if (!branding || !this.frame) return;
    this.frame.brand(branding);
    watchPalette(this.host, this.frame.page, branding.colors, this.life.signal);
  }

  private report({ view, session }: State, before: State | null): void {
    if (session && !before?.session) this.emit('presenza-ready', undefined);
    if (view.at === 'capturing') {
      const { attempt, step } = view;
      const last = before?.view.at === 'capturing' ? before.view.step : undefined;
      const detail = { step: step.index + 1, steps: attempt.steps, movement: step.movement };
      if (!last || !isSamePrompt(step, last)) this.emit('presenza-step', detail);
    } else if (view.at !== before?.view.at) {
      if (view.at === 'ended') this.emit('presenza-end', { status: view.status });
      if (view.at === 'blocked') this.reportBlock(view.why);
    }
  }

  private reportBlock(reason: Block): void {
    // biome-ignore lint/suspicious/noConsole: the developer of the page reads it
    if (reason === 'originNotAllowed') console.error(originAdvice(window.location.origin));
    this.emit('presenza-blocked', { reason });
  }

  private emit<Name extends keyof LivenessEvents>(name: Name, detail: LivenessEvents[Name]): void {
    this.host.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

/** For the developer of the page. The person in front of it cannot allow an origin. */
const originAdvice = (origin: string) =>
  `<presenza-liveness>: the account of this session does not allow pages of ${origin}. The operator allows it by \`accounts update --origins\`. Sessions that a test key created also run on localhost, 127.0.0.1 and [::1], at any port.`;

/** A capture shows all its states in one screen. */
const isSameScreen = ({ view }: State, before: State | null) =>
  before !== null &&
  (view === before.view ||
    (view.at === 'handover' && before.view.at === 'handover') ||
    (usesCamera(view) && usesCamera(before.view) && view.camera === before.view.camera));

function screenOf(page: Page, context: ScreenContext): Screen {
  const { view, session } = context.state;
  if (view.at === 'consent' && session) return consentScreen(session, context);
  if (view.at === 'handover') return handoverScreen(context);
  if (view.at === 'stillness') return stillnessScreen(context);
  if (view.at === 'otherWays') return otherWaysScreen(context);
  return usesCamera(view) ? streamOf(page).captureScreen(view, context) : messageScreen(context);
}
