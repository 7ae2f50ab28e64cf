/** Runs the state machine. Its events come from effects of the current view and from the person. */
import { closeCamera } from './camera';
import { type Context, type Notice, type Page, runEffect, settleMeaning } from './effects';
import { meaningOf } from './failures';
import { type Event, INITIAL, isHeld, needsKeepAlive, reduce, type State, usesCamera } from './machine';

/** Well within the grace period before an abandoned session is cancelled. */
const KEEP_ALIVE_MS = 8_000;

export interface Surface {
  /** Shows a state. The preview of a view that uses the camera exists afterward. */
  show(state: State, before: State | null): void;
  video(): HTMLVideoElement | undefined;
  /** Version and language of the consent text that the person sees. */
  notice(): Notice;
  /** Resolves when texts in the language of the session are there. */
  speak(locale: string | undefined): Promise<void>;
}

export class Verification {
  private state = INITIAL;
  /** Ends the effect of the current view. */
  private effect = new AbortController();
  private keepAlive: ReturnType<typeof setInterval> | undefined;
  private isStopped = false;

  constructor(
    private readonly page: Page,
    private readonly surface: Surface,
  ) {}

  start(): void {
    window.addEventListener('pagehide', this.leaveWithPage);
    // Keeps the session alive when it is also open in another page that is closed.
    this.keepAlive = setInterval(() => {
      if (needsKeepAlive(this.state)) void this.stayOpen();
    }, KEEP_ALIVE_MS);
    this.surface.show(this.state, null);
    this.enter();
  }

  /** Turns the camera off and notifies the gateway that the person left, if the session is open. */
  stop(): void {
    this.isStopped = true;
    window.removeEventListener('pagehide', this.leaveWithPage);
    clearInterval(this.keepAlive);
    this.effect.abort();
    const { view } = this.state;
    if (usesCamera(view)) closeCamera(view.camera);
    if (isHeld(this.state)) this.page.gateway?.leave();
  }

  dispatch = (event: Event): void => {
    const before = this.state;
    const after = reduce(before, event);
    if (after === before) return;
    this.state = after;
    const isOther = after.view.at !== before.view.at;
    if (isOther) this.effect.abort();
    if (usesCamera(before.view) && !usesCamera(after.view)) closeCamera(before.view.camera);
    this.surface.show(after, before);
    // A listener of the page may have removed the element.
    if (isOther && !this.isStopped) this.enter();
  };

  /**
   * The session may have ended elsewhere, such as a test session, which ends without a camera, or its data may have been
   * erased. The next call repeats one that failed for now.
   */
  private async stayOpen(): Promise<void> {
    const context = this.context();
    const result = await this.page.gateway?.start(context.signal);
    if (!result || result.ok) return;
    const meaning = meaningOf(result.failure);
    if (meaning.kind !== 'wait' && meaning.kind !== 'unknown') await settleMeaning(context, meaning);
  }

  private enter(): void {
    this.effect = new AbortController();
    runEffect(this.context());
  }

  /** The effect that gets it ends with the current view. */
  private context(): Context {
    const { signal } = this.effect;
    return {
      state: this.state,
      page: this.page,
      video: () => this.surface.video(),
      notice: this.surface.notice(),
      speak: (locale) => this.surface.speak(locale),
      signal,
      dispatch: (event) => {
        if (!signal.aborted) this.dispatch(event);
      },
    };
  }

  /** The browser may restore a persisted page from its cache. */
  private leaveWithPage = ({ persisted }: PageTransitionEvent): void => {
    if (isHeld(this.state) && !persisted) this.page.gateway?.leave();
  };
}
