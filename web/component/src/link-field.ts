import { h, setText } from './dom';
import type { Texts } from './texts';

/** Shows the link, which the address bar does not contain, for use in another browser or device. */
export function copyLink({ copy }: Texts, address: string) {
  const field = h('input', { id: 'link', class: 'field', readonly: true });
  field.value = address;
  field.addEventListener('focus', () => field.select());
  const done = h('span', { role: 'status' });
  const click = () =>
    navigator.clipboard.writeText(address).then(
      () => setText(done, copy.done),
      () => {},
    );
  return h(
    'div',
    {},
    h('label', { for: 'link' }, copy.label),
    field,
    // Pages without TLS have no clipboard. The field remains.
    navigator.clipboard &&
      h(
        'p',
        { class: 'actions' },
        h('button', { class: 'secondary', type: 'button', click }, copy.action),
        done,
      ),
  );
}
