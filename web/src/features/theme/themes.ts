/**
 * What a visitor may choose about colours: a theme, which is the accent, and a mode, which is day or night. Their
 * colours are in themes.css and tokens.css, their labels in content/site.json.
 */
export interface RootChoice<Value extends string> {
  /** The choice is in data-{name} of <html>, and kept in local storage under this name. */
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
