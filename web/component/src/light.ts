/**
 * The light challenge: colors in the place of the page's background and of the veil around the face. All of them are
 * bright, so that dark text stays readable. Nothing moves or fades, so a preference for reduced motion changes nothing;
 * people who are sensitive to flicker are warned before they consent.
 */
import type { Attempt } from './wire';

type Sequence = NonNullable<Attempt['light']>;

/** The part of the window that the colors need; tests replace it. */
export interface Clock {
  performance: Pick<Performance, 'now'>;
  requestAnimationFrame(step: () => void): number;
  cancelAnimationFrame(id: number): void;
}

const BACKGROUNDS = ['--presenza-paper', '--presenza-panel'];
const TEXTS = ['--presenza-ink', '--presenza-ink-soft', '--presenza-line-strong', '--presenza-accent'];
/** At least 6 to 1 on each color (WCAG 2.2, 1.4.3). */
const TEXT_COLOR = '#111418';

/**
 * Shows the colors until the signal aborts, and then restores the page's own.
 * @param element whose custom properties color the page
 * @returns the whole milliseconds since the first color
 */
export function showLight(
  element: HTMLElement,
  { colors, colorMs }: Sequence,
  { clock = window, signal }: { clock?: Clock; signal: AbortSignal },
): () => number {
  const { style } = element;
  const restore = keepColors(style);
  const beganAt = clock.performance.now();
  const shownMs = () => Math.floor(clock.performance.now() - beganAt);
  let shown = -1;
  let frame = 0;
  const step = () => {
    frame = clock.requestAnimationFrame(step);
    const index = Math.min(colors.length - 1, Math.floor(shownMs() / colorMs));
    if (index === shown) return;
    shown = index;
    for (const name of BACKGROUNDS) style.setProperty(name, colors[index] ?? null);
  };
  for (const name of TEXTS) style.setProperty(name, TEXT_COLOR);
  step();
  signal.addEventListener('abort', () => {
    clock.cancelAnimationFrame(frame);
    restore();
  });
  return shownMs;
}

/**
 * Makes the page white until the signal aborts, so that it lights a face in the dark, and then restores the page's own
 * colors.
 */
export function brighten({ style }: HTMLElement, signal: AbortSignal): void {
  const restore = keepColors(style);
  for (const name of BACKGROUNDS) style.setProperty(name, '#ffffff');
  for (const name of TEXTS) style.setProperty(name, TEXT_COLOR);
  signal.addEventListener('abort', restore);
}

/** @returns restores the colors of now */
function keepColors(style: CSSStyleDeclaration): () => void {
  const colors = [...BACKGROUNDS, ...TEXTS].map((name) => [name, style.getPropertyValue(name)] as const);
  // An empty value removes the property.
  return () => {
    for (const [name, value] of colors) style.setProperty(name, value);
  };
}
