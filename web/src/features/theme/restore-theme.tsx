import { MODE, THEME } from './themes';

const CHOICES = [THEME, MODE].map(({ name, values }) => [name, values]);

/**
 * Runs before the first paint, so that colors do not flash. If storage is denied, the defaults of the
 * style sheets apply. It also sets data-js, which reveals elements that
 * need scripts.
 */
const SCRIPT = `(function(d){d.js="";try{${JSON.stringify(CHOICES)}.forEach(function(c){var v=localStorage.getItem(c[0]);if(c[1].includes(v))d[c[0]]=v})}catch(e){}})(document.documentElement.dataset)`;

export function RestoreTheme() {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file; React would escape its quotes.
  return <script dangerouslySetInnerHTML={{ __html: SCRIPT }} />;
}
