/** The interface of all views, and the layout of all views except the capture. */
import { type Child, h } from './dom';
import type { Event, State } from './machine';
import type { Texts } from './texts';

export interface Screen {
  element: HTMLElement;
  /** Gets the focus, so that screen readers announce the screen and Tab continues there. */
  heading: HTMLElement;
  video?: HTMLVideoElement;
  /** Shows another state of the same view. */
  update?(state: State): void;
  dispose?(): void;
}

export interface ScreenContext {
  state: State;
  texts: Texts;
  /** Name of the account within sentences. */
  asker: string;
  /** The address of the session for other browsers and devices, if known. */
  address: string | null;
  sessionId: string | null;
  /** Whether the person returns to the account's application without a click. */
  autoReturn: boolean;
  /** Aborts when the view changes. */
  signal: AbortSignal;
  dispatch(event: Event): void;
}

interface Layout {
  /** Names the view in the markup, for tests and support. */
  name: string;
  heading: string;
  /** Shown beside the text, or above it on small screens. */
  figure: Element;
  /** Whether the figure is larger than an emblem. */
  wide?: boolean;
}

export function screen({ name, heading, figure, wide = false }: Layout, ...children: Child[]): Screen {
  const title = h('h1', { tabindex: -1 }, heading);
  const element = h(
    'div',
    { class: 'screen', 'data-wide': wide, 'data-name': name },
    h('div', { class: 'figure' }, figure),
    h('div', { class: 'text' }, title, ...children),
  );
  return { element, heading: title };
}
