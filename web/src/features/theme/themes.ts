/**
 * The color choices of visitors: a theme (the accent) and a mode (light or dark). Their
 * colors are in themes.css and tokens.css, their labels in content/site.json.
 */
export interface RootChoice<Value extends string> {
  /** The choice is in data-{name} of <html> and in local storage under this name. */
  readonly name: string;
  readonly values: readonly Value[];
  readonly fallback: Value;
}

export const THEMES = ['default', 'green', 'purple', 'red', 'black'] as const;
export const MODES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];
export type Mode = (typeof MODES)[number];

export const THEME: RootChoice<Theme> = { name: 'theme', values: THEMES, fallback: 'default' };
export const MODE: RootChoice<Mode> = { name: 'mode', values: MODES, fallback: 'system' };
