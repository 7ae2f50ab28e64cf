/** `<presenza-liveness>`: its attributes, properties and events. */
import { SessionView } from './session-view';
import type { Texts } from './texts';

/** Properties that frameworks may set before the element is defined. */
const PROPERTIES = ['accessToken', 'apiUrl', 'sessionUrl', 'words'] as const;

/** The module loads on servers, too, which have no elements. */
const Base = typeof HTMLElement === 'undefined' ? (class {} as typeof HTMLElement) : HTMLElement;

export class PresenzaLiveness extends Base {
  static readonly observedAttributes = ['access-token', 'api-url', 'session-url', 'lang'];

  private readonly view = new SessionView(this);

  /** The token of a session, which a new session returns. It is write-only and never becomes an attribute. */
  set accessToken(token: string | null) {
    this.view.give({ token });
  }

  /** The verification URL of a session, in place of the access token. */
  set sessionUrl(sessionUrl: string | null) {
    this.view.give({ sessionUrl });
  }

  /** The address of the API, with or without `/v1`. Only the site of a verification URL can leave it out. */
  set apiUrl(apiUrl: string | null) {
    this.view.give({ apiUrl });
  }

  /** Texts that replace those of the package. */
  // biome-ignore lint/plugin: the public name of the property.
  set words(texts: Texts | null) {
    this.view.translate(texts);
  }

  attributeChangedCallback(name: string, _before: string | null, value: string | null): void {
    if (name === 'lang') this.view.changeLanguage();
    else if (name === 'api-url') this.apiUrl = value;
    else if (value !== null) this.take(name, value);
  }

  /** The markup must not contain the token any longer. */
  private take(name: string, value: string): void {
    if (name === 'access-token') this.accessToken = value;
    else this.sessionUrl = value;
    this.removeAttribute(name);
  }

  connectedCallback(): void {
    for (const name of PROPERTIES) {
      const early = Object.getOwnPropertyDescriptor(this, name);
      if (!early) continue;
      delete (this as Record<string, unknown>)[name];
      Object.assign(this, { [name]: early.value });
    }
    this.view.connect();
  }

  disconnectedCallback(): void {
    this.view.end();
  }
}
