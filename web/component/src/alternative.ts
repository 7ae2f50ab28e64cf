import { type Child, h } from './dom';
import type { Session } from './machine';
import type { Texts } from './texts';

/** The alternative of the account for people who cannot or do not want to complete the check, or where to ask for one. */
export function alternativeOf({ alternative: texts }: Texts, session: Session | null): HTMLElement {
  const { text, url } = session?.alternative ?? {};
  const isKnown = text !== undefined || url !== undefined;
  return section(
    texts.heading,
    h('p', {}, isKnown ? texts.text : texts.none),
    text !== undefined && h('p', { dir: 'auto' }, text),
    url !== undefined && h('p', { class: 'actions' }, link(url, texts.action)),
  );
}

export const section = (heading: string, ...children: Child[]) =>
  h('section', { class: 'section' }, h('h2', {}, heading), ...children);

const link = (href: string, text: string) => h('a', { class: 'secondary', href, rel: 'noreferrer' }, text);
