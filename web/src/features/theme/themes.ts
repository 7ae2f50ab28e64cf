/**
 * The color choices of visitors: a theme (the accent) and a mode (light or dark). Their
 * colors are in themes.css and tokens.css, their labels in content/site.json.
 */
import type { RootChoice } from './root-choice';

export const THEMES = ['default', 'green', 'purple', 'red', 'black'] as const;
export const MODES = ['system', 'light', 'dark'] as const;

export const THEME: RootChoice<(typeof THEMES)[number]> = {
  attribute: 'theme',
  storageKey: 'theme',
  values: THEMES,
  fallback: 'default',
};
export const MODE: RootChoice<(typeof MODES)[number]> = {
  attribute: 'mode',
  storageKey: 'mode',
  values: MODES,
  fallback: 'system',
};
