import { paletteOf } from './branding';
import type { Branding } from './wire';

/**
 * Overrides the colors of the page with the account's until the signal aborts. A content security policy may forbid style
 * attributes, but not this.
 * @param page the element whose `--paper` is the background without these colors
 */
export function watchPalette(
  host: HTMLElement,
  page: HTMLElement,
  colors: Branding['colors'],
  signal: AbortSignal,
): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  let names: string[] = [];
  const clear = () => {
    for (const name of names) host.style.removeProperty(name);
  };
  const apply = () => {
    clear();
    const paper = getComputedStyle(page).getPropertyValue('--paper').trim();
    const palette = Object.entries(paletteOf(colors, paper));
    names = palette.map(([name]) => propertyOf(name));
    for (const [name, value] of palette) host.style.setProperty(propertyOf(name), value);
  };
  apply();
  // addEventListener came to Safari with version 14.
  dark.addListener(apply);
  signal.addEventListener('abort', () => {
    dark.removeListener(apply);
    clear();
  });
}

/** The names outside the shadow tree have a prefix, because pages have properties such as `--accent`, too. */
const propertyOf = (name: string) => name.replace('--', '--presenza-');
