/** Defines the element. Importing the module is enough. */
import { PresenzaLiveness } from './element';
import type { LivenessEvents } from './events';
import type { Texts } from './texts';

export { type LivenessEvents, PresenzaLiveness, type Texts as Words };

const NAME = 'presenza-liveness';

type LivenessEventMap = { [Name in keyof LivenessEvents]: CustomEvent<LivenessEvents[Name]> };

declare global {
  interface HTMLElementTagNameMap {
    'presenza-liveness': PresenzaLiveness;
  }
  interface HTMLElementEventMap extends LivenessEventMap {}
}

// Servers have no elements, and a page may load the module twice.
if (typeof customElements !== 'undefined' && !customElements.get(NAME))
  customElements.define(NAME, PresenzaLiveness);
