/** The themes of the site. Their colours are in themes.css, their labels in content/site.json. */
export const THEMES = ['default', 'green', 'purple', 'red', 'black'] as const;

export type Theme = (typeof THEMES)[number];

/** Where the visitor's choice is kept in local storage. */
export const STORAGE_KEY = 'theme';

export const isTheme = (value: unknown): value is Theme => THEMES.some((theme) => theme === value);
