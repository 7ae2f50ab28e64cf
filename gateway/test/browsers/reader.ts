/**
 * Somebody who uses a page in any engine: it finds elements by their role and name, as a person does, and waits until the
 * page shows them. Events of the keyboard and the mouse are those that scripts can cause.
 */
import { waitUntil } from '../../harness/index.mjs';
import type { Engine } from './engine';

/** The elements that have a role by themselves, as far as the pages use them. */
const ELEMENTS = {
  heading: 'h1, h2, h3, h4',
  link: 'a[href]',
  button: 'button, summary, [role=button]',
  textbox: 'input:not([type=checkbox], [type=radio], [type=file]), textarea',
  radio: 'input[type=radio]',
  tab: '[role=tab]',
  option: '[role=option]',
  region: 'section[aria-label]',
  status: '[role=status]',
} as const;
export type Role = keyof typeof ELEMENTS;

/** Source of a function of the page that finds what a person sees. */
const finder = `([selector, name, isExact]) => {
  const textOf = (element) => (element?.textContent ?? '').replace(/\\s+/g, ' ').trim();
  const nameOf = (element) =>
    element.getAttribute('aria-label') ??
    (element.labels?.length ? [...element.labels].map(textOf).join(' ') : textOf(element));
  const isShown = (element) => element.getClientRects().length > 0;
  return [...document.querySelectorAll(selector)].find((element) => {
    if (!isShown(element)) return false;
    return isExact ? nameOf(element) === name : nameOf(element).includes(name);
  });
}`;

export class Reader {
  constructor(private readonly engine: Engine) {}

  open = (url: string) => this.engine.open(url);

  /** Waits until the page shows an element of this role with this name. */
  async sees(role: Role, name: string, { isExact = false } = {}): Promise<void> {
    await this.act(role, name, isExact, '() => true');
  }

  async presses(role: Role, name: string, { isExact = true } = {}): Promise<void> {
    await this.act(role, name, isExact, '(element) => void element.click() || true');
  }

  /** Types into a field as React expects it. */
  async types(name: string, text: string): Promise<void> {
    await this.act(
      'textbox',
      name,
      false,
      `(element) => {
        const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value');
        element.focus();
        set.call(element, ${JSON.stringify(text)});
        element.dispatchEvent(new Event('input', { bubbles: true }));
        return true;
      }`,
    );
  }

  async reads(role: Role, name: string): Promise<string> {
    return String(await this.act(role, name, true, '(element) => element.textContent'));
  }

  /** Waits until an expression of the page is true. */
  async until(what: string, source: string): Promise<void> {
    await waitUntil(what, () => this.attempt(`() => Boolean(${source})`).then(Boolean), { intervalMs: 100 });
  }

  /** Runs a function on the element once it is there. */
  private async act(role: Role, name: string, isExact: boolean, action: string): Promise<unknown> {
    const source = `(wanted) => {
      const element = (${finder})(wanted);
      return element ? { value: (${action})(element) } : null;
    }`;
    const wanted = [ELEMENTS[role], name, isExact];
    const done = await waitUntil(
      `the page shows the ${role} "${name}"`,
      async () => (await this.attempt(source, wanted)) as { value: unknown } | null,
      { intervalMs: 100 },
    );
    return done?.value;
  }

  /** While one document replaces another, there is no page to run a function in. */
  private attempt = (source: string, argument?: unknown): Promise<unknown> =>
    this.engine.run(source, argument).catch(() => null);
}
