/**
 * The color choices of visitors: a theme (the accent) and a mode (light or dark). Their colors are in themes.css and
 * tokens.css, their labels in content/site.json.
 */
import type { RootChoice } from '../../root-choice';

export const THEMES = ['default', 'green', 'purple', 'red', 'black'] as const;
export const MODES = ['system', 'light', 'dark'] as const;

const choiceOf = <Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
): RootChoice<Value> => ({
  attribute: name,
  storageKey: name,
  values,
  fallback: values[0],
});

export const THEME = choiceOf('theme', THEMES);
export const MODE = choiceOf('mode', MODES);
