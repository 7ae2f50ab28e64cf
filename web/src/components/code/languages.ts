/** The languages of samples. The first is the default; code-tabs.module.css lists them all. */
export const LANGUAGES = ['curl', 'python', 'dart', 'kotlin', 'java', 'swift', 'node', 'php'] as const;

export type Language = (typeof LANGUAGES)[number];

/** The key of the reader's choice in local storage. */
export const STORAGE_KEY = 'code-language';

export const isLanguage = (value: unknown): value is Language =>
  LANGUAGES.some((language) => language === value);
