import { h } from './dom';
import css from './liveness.css';

/**
 * Styles a shadow tree without style elements or attributes, which a strict content security policy forbids.
 * @param href address of liveness.css, for browsers without constructable style sheets (Safari before 16.4, Firefox
 * before 101)
 */
export function adoptStyles(root: ShadowRoot, href: string | null): void {
  if ('adoptedStyleSheets' in root && 'replaceSync' in CSSStyleSheet.prototype) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
  } else if (href) root.append(h('link', { rel: 'stylesheet', href }));
}
