/** The parts around every screen: the account or the slot `brand`, the button Leave, and messages of trouble. */
import { h, setText } from './dom';
import { adoptStyles } from './styles';
import type { Texts } from './texts';
import type { Branding } from './wire';

export interface Frame {
  /** The outermost element of the shadow tree. */
  readonly page: HTMLElement;
  /** Shows texts in this language. */
  speak(texts: Texts): void;
  /** Shows the account in place of the slot. */
  brand(branding: Branding): void;
  show(screen: Element): void;
  update(state: { trouble: string; mayLeave: boolean }): void;
}

/** Until the first screen, the element shows its own content. */
export function createFrame(host: HTMLElement, onLeave: () => void): Frame {
  const brand = h('p', { class: 'brand' }, h('slot', { name: 'brand' }));
  const leave = h('button', { class: 'leave', type: 'button', hidden: true, click: onLeave });
  const trouble = h('p', { class: 'trouble', role: 'alert' });
  const view = h('div', { class: 'view' }, h('slot'));
  const footer = h('p', { class: 'footer', hidden: true });
  const page = h(
    'div',
    { class: 'page' },
    h('div', { class: 'header' }, brand, leave),
    h('div', { class: 'main' }, trouble, view),
    footer,
  );
  const root = host.attachShadow({ mode: 'open' });
  adoptStyles(root, host.getAttribute('stylesheet'));
  root.append(page);

  return {
    page,
    speak({ locale, direction, leave: label, checkBy }) {
      page.lang = locale;
      page.dir = direction;
      setText(leave, label);
      setText(footer, checkBy);
    },
    brand({ name, logoUrl }) {
      brand.textContent = '';
      if (logoUrl) {
        const logo = h('img', { class: 'logo', src: logoUrl, alt: '', referrerpolicy: 'no-referrer' });
        // If the image fails to load, the name remains.
        logo.addEventListener('error', () => logo.remove());
        brand.append(logo);
      }
      brand.append(name);
      footer.hidden = false;
    },
    show(screen) {
      view.textContent = '';
      view.append(screen);
    },
    update({ trouble: text, mayLeave }) {
      setText(trouble, text);
      leave.hidden = !mayLeave;
    },
  };
}
