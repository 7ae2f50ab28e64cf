import { h, setAttributes, setText } from './dom';
import { consentDrawing } from './drawing/consent-drawing';
import { fill } from './fill';
import type { Session } from './machine';
import { type Screen, type ScreenContext, screen } from './screen';
import type { Words } from './words';

/** Explains the check, its requester and data retention, and asks for consent. */
export function consentScreen(session: Session, { words, asker, dispatch }: ScreenContext): Screen {
  const { heading, points, agreement, missing, action } = words.consent;
  const name = session.branding?.name;
  const values = { asker, retention: retentionOf(words, session.retentionSeconds) };
  const filled = (text: string) => fill(text, values, words.locale);

  const box = h('input', { type: 'checkbox', required: true, 'aria-invalid': 'false' });
  const label = h('label', { class: 'consent' }, box, h('span', {}, filled(agreement)));
  const alert = h('p', { class: 'missing', id: 'missing', role: 'alert' });
  const show = (refused: boolean) => {
    setText(alert, refused ? missing : '');
    setAttributes(label, { 'data-missing': refused });
    setAttributes(box, {
      'aria-invalid': String(refused),
      'aria-describedby': refused ? 'missing' : undefined,
    });
  };
  box.addEventListener('change', () => show(false));
  const submit = (event: Event) => {
    event.preventDefault();
    if (box.checked) return dispatch({ type: 'consented' });
    show(true);
    box.focus();
  };

  return screen(
    { name: 'consent', heading, figure: consentDrawing(), wide: true },
    h('p', { class: 'lead' }, name ? fill(words.askedBy, { name }, words.locale) : words.askedBySomebody),
    h(
      'ul',
      { class: 'points' },
      ...points.map(({ title, text }) => h('li', {}, h('strong', {}, title), h('span', {}, filled(text)))),
    ),
    h(
      'form',
      { novalidate: true, submit },
      label,
      alert,
      h('p', { class: 'actions' }, h('button', { class: 'primary', type: 'submit' }, action)),
    ),
  );
}

function retentionOf({ consent, locale }: Words, seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes % 60 === 0
    ? fill(consent.retention.hours, { count: minutes / 60 }, locale)
    : fill(consent.retention.minutes, { count: minutes }, locale);
}
