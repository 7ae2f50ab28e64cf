/** The languages that samples come in. The first is shown to who has not chosen; code-tabs.module.css names each. */
export const LANGUAGES = ['curl', 'python', 'dart', 'kotlin', 'java', 'swift', 'node', 'php'] as const;

export type Language = (typeof LANGUAGES)[number];

/** Where the reader's choice is kept in local storage. */
export const STORAGE_KEY = 'code-language';

export const isLanguage = (value: unknown): value is Language =>
  LANGUAGES.some((language) => language === value);
