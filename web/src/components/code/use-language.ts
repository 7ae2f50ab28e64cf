import { useSyncExternalStore } from 'react';
import { isLanguage, LANGUAGES, type Language, STORAGE_KEY } from './languages';

/** The attribute data-code of <html> holds the language: style sheets show its samples, and all tab lists read it. */
export function useLanguage(): [Language, (language: Language) => void] {
  const language = useSyncExternalStore(subscribe, currentLanguage, () => LANGUAGES[0]);
  return [language, chooseLanguage];
}

function currentLanguage(): Language {
  const { code } = document.documentElement.dataset;
  return isLanguage(code) ? code : LANGUAGES[0];
}

function chooseLanguage(language: Language) {
  document.documentElement.dataset.code = language;
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // Storage is full or denied: the choice lasts until the visitor leaves the page.
  }
}

function subscribe(onChange: () => void) {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ['data-code'] });
  return () => observer.disconnect();
}
