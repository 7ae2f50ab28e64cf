import { MODE, THEME } from './themes';

const CHOICES = [THEME, MODE].map(({ name, values }) => [name, values]);

/**
 * Runs before the page is painted, so that a chosen theme or mode never flashes in late. Storage may be refused: what
 * the style sheets say of themselves is then right. It also marks the page as one where scripts run, for what would be
 * of no use without them.
 */
const SCRIPT = `(function(d){d.js="";try{${JSON.stringify(CHOICES)}.forEach(function(c){var v=localStorage.getItem(c[0]);if(c[1].includes(v))d[c[0]]=v})}catch(e){}})(document.documentElement.dataset)`;

export function RestoreTheme() {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file; React would escape its quotes.
  return <script dangerouslySetInnerHTML={{ __html: SCRIPT }} />;
}
