/** The hosted verification page: it gives its link to the element. The page loads no other script. */
import './liveness/index.js';

/** Key in the session storage of this tab. */
const STORAGE_KEY = 'verify';

const element = document.querySelector('presenza-liveness');
element.addEventListener('presenza-ready', adoptBackground);
element.addEventListener('presenza-language', adoptLanguage);
element.sessionUrl = takeLink();
// Another link in the same tab changes only the fragment.
window.addEventListener('hashchange', () => window.location.hash && window.location.reload());

/**
 * Removes the access token from the address bar, where a photo of the screen or a shared address would reveal it. It is
 * stored for reloads of this tab, unless storage is denied.
 */
function takeLink() {
  const { hash, origin, pathname, search } = window.location;
  if (hash) window.history.replaceState(window.history.state, '', pathname + search);
  return origin + pathname + search + (hash ? keep(hash) : kept());
}

function keep(hash) {
  try {
    window.sessionStorage.setItem(STORAGE_KEY, hash);
  } catch {
    // Storage is denied.
  }
  return hash;
}

function kept() {
  try {
    return window.sessionStorage.getItem(STORAGE_KEY) || '';
  } catch {
    return '';
  }
}

/** The language of the texts, for screen readers, the direction of the page and its title. */
function adoptLanguage({ detail: { locale, direction, title } }) {
  document.title = title;
  document.documentElement.lang = locale;
  document.documentElement.dir = direction;
}

/** The account's color behind the element, where a page scrolls past its end. */
function adoptBackground() {
  const paper = element.style.getPropertyValue('--presenza-paper');
  if (paper) document.documentElement.style.setProperty('--paper', paper);
}
