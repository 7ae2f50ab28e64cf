import { STORAGE_KEY, THEMES } from './themes';

/**
 * Runs before the page is painted, so that a chosen theme never flashes in late. Storage may be refused: the
 * default theme is then right.
 */
const SCRIPT = `try{var t=localStorage.getItem(${JSON.stringify(STORAGE_KEY)});if(${JSON.stringify(THEMES)}.includes(t))document.documentElement.dataset.theme=t}catch(e){}`;

export function RestoreTheme() {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file; React would escape its quotes.
  return <script dangerouslySetInnerHTML={{ __html: SCRIPT }} />;
}
