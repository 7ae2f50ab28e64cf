import { useSyncExternalStore } from 'react';
import { isTheme, STORAGE_KEY, type Theme } from './themes';

/** The <html> element holds the theme in data-theme: the style sheets read it there, and so does this hook. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, currentTheme, () => 'default' as const);
  return [theme, applyTheme];
}

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return isTheme(theme) ? theme : 'default';
}

function applyTheme(theme: Theme) {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Storage is full or refused: the choice lasts until the page is left.
  }
}

function subscribe(onChange: () => void) {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}
