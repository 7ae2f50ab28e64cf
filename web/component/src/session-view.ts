/**
 * Shows one session in an element, from the first call to the outcome.
 *
 * The button Leave cancels the session. The event pagehide does not reveal whether the page is closed, reloaded or left
 * by the back button, and a cancellation is final. So the page only notifies the gateway that the person leaves, which
 * cancels the session unless somebody opens it again within seconds. Phones end background pages without any event: then
 * the session expires a few minutes later.
 */
import { captureScreen } from './capture-screen';
import { consentScreen } from './consent-screen';
import type { LivenessEvents } from './events';
import { createFrame, type Frame } from './frame';
import { handoverScreen } from './handover';
import { loadWords } from './languages';
import { parseLink } from './link';
import { mayLeave, type State, usesCamera } from './machine';
import { messageScreen } from './message-screen';
import { watchPalette } from './palette';
import type { Screen, ScreenContext } from './screen';
import { stillnessScreen } from './stillness';
import { Verification } from './verification';
import { textOf, type Words } from './words';

/** Where the session is. A session URL contains the token, and its site knows the address of the API. */
interface Source {
  token: string | null;
  sessionUrl: string | null;
  apiUrl: string | null;
}

interface Run {
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
  private ownWords: Words | null = null;
  private words: Words | undefined;
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

  translate(words: Words | null): void {
    this.ownWords = words;
    this.changeLanguage();
  }

  changeLanguage(): void {
    if (this.run) void this.chooseWords(this.life.signal);
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
      const isKnown = sessionUrl !== null || (token !== null && apiUrl !== null);
      if (isKnown && this.host.isConnected) void this.begin();
    });
  }

  private async begin(): Promise<void> {
    this.end();
    this.sessionLocale = '';
    const life = new AbortController();
    this.life = life;
    await this.chooseWords(life.signal);
    if (life.signal.aborted) return;
    const { token, sessionUrl, apiUrl } = this.source;
    const link = parseLink(token ?? sessionUrl?.split('#')[1] ?? '');
    const verification = new Verification(
      { link, apiUrl, sessionUrl, gateway: null },
      {
        show: (state, before) => this.show(state, before),
        video: () => this.shown?.video,
        notice: () => ({
          consentNotice: this.words?.consent.notice ?? '',
          consentLocale: this.words?.locale ?? '',
        }),
        speak: async (locale = '') => {
          if (locale === '') return;
          this.sessionLocale = locale;
          await this.chooseWords(life.signal);
        },
      },
    );
    this.run = { verification, sessionId: link ? link.sessionId : null };
    verification.start();
  }

  /** The session's language wins over the attribute lang, and that over the browser's languages. A capture goes on in the earlier words. */
  private async chooseWords(signal: AbortSignal): Promise<void> {
    const wanted = [this.sessionLocale, this.host.lang, ...navigator.languages].filter(Boolean);
    const words = this.ownWords ?? (await loadWords(wanted, signal));
    if (signal.aborted) return;
    this.words = words;
    this.frame?.speak(words);
    const { locale, direction, checkBy: title } = words;
    this.emit('presenza-language', { locale, direction, title });
    if (this.shown && !usesCamera(this.shown.state.view)) this.draw(this.shown.state);
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
    const text = trouble && this.words && !usesCamera(view) ? textOf(this.words.trouble, trouble) : '';
    this.frame?.update({ trouble: text, mayLeave: mayLeave(view) });
    this.report(state, before);
  }

  private draw(state: State): void {
    const { frame, run, words, source, host } = this;
    if (!frame || !run || !words) return;
    const abort = new AbortController();
    const screen = screenOf({
      state,
      words,
      asker: state.session?.branding?.name ?? words.sender,
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
      const last = before?.view.at === 'capturing' ? before.view.step.index : -1;
      const detail = { step: step.index + 1, steps: attempt.steps, movement: step.movement };
      if (step.index !== last) this.emit('presenza-step', detail);
    } else if (view.at !== before?.view.at) {
      if (view.at === 'ended') this.emit('presenza-end', { status: view.status });
      if (view.at === 'blocked') this.emit('presenza-blocked', { reason: view.why });
    }
  }

  private emit<Name extends keyof LivenessEvents>(name: Name, detail: LivenessEvents[Name]): void {
    this.host.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

/** A capture shows all its states in one screen. */
const isSameScreen = ({ view }: State, before: State | null) =>
  before !== null &&
  (view === before.view ||
    (view.at === 'handover' && before.view.at === 'handover') ||
    (usesCamera(view) && usesCamera(before.view) && view.camera === before.view.camera));

function screenOf(context: ScreenContext): Screen {
  const { view, session } = context.state;
  if (view.at === 'consent' && session) return consentScreen(session, context);
  if (view.at === 'handover') return handoverScreen(context);
  if (view.at === 'stillness') return stillnessScreen(context);
  return usesCamera(view) ? captureScreen(view, context) : messageScreen(context);
}
