import type { RootChoice } from '../../root-choice';

/** The languages of samples, in tab order; code-tabs.module.css lists them all. */
const LANGUAGES = ['curl', 'python', 'dart', 'kotlin', 'java', 'swift', 'node', 'php'];

/** The reader's choice. Style sheets show its samples, and all tab lists read it. */
export const LANGUAGE: RootChoice<string> = {
  attribute: 'code',
  storageKey: 'code-language',
  values: LANGUAGES,
  fallback: 'curl',
};
