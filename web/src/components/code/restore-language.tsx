import { LANGUAGES, STORAGE_KEY } from './languages';

/**
 * Runs before the first paint, so that only the chosen language is visible and nothing moves. Without scripts
 * data-code is missing, and the style sheet shows every sample.
 */
const SCRIPT = `(function(d){d.code=${JSON.stringify(LANGUAGES[0])};try{var c=localStorage.getItem(${JSON.stringify(STORAGE_KEY)});if(${JSON.stringify(LANGUAGES)}.includes(c))d.code=c}catch(e){}})(document.documentElement.dataset)`;

export function RestoreLanguage() {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file; React would escape its quotes.
  return <script dangerouslySetInnerHTML={{ __html: SCRIPT }} />;
}
