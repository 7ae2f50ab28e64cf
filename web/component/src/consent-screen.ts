import { alternativeOf } from './alternative';
import { consentData } from './consent-data';
import { consentDrawing } from './consent-drawing';
import { h, setAttributes, setText } from './dom';
import { fill } from './fill';
import { canHandOver, handoverButton } from './handover';
import type { Session } from './machine';
import { type Screen, type ScreenContext, screen } from './screen';
import { stillnessButton } from './stillness';

/**
 * Explains the check, its requester and data retention, and asks for consent. The text about the data comes first, so that a
 * person on a phone sees it before the checkbox.
 */
export function consentScreen(session: Session, context: ScreenContext): Screen {
  const { texts, asker, dispatch } = context;
  const { heading, agreement, missing, action } = texts.consent;
  const name = session.branding?.name;
  const responsible = session.controller?.name ?? asker;

  const box = h('input', { type: 'checkbox', required: true, 'aria-invalid': 'false' });
  const label = h(
    'label',
    { class: 'consent' },
    box,
    h('span', {}, fill(agreement, { responsible }, texts.locale)),
  );
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
    h('p', { class: 'lead' }, name ? fill(texts.askedBy, { name }, texts.locale) : texts.askedBySomebody),
    consentData(session, texts, asker),
    h(
      'ul',
      { class: 'section points' },
      ...texts.consent.points.map(({ title, text }) =>
        h('li', {}, h('strong', {}, title), h('span', {}, text)),
      ),
    ),
    h('p', {}, session.movesDevice ? texts.stillness.chosen : stillnessButton(context)),
    alternativeOf(texts, session),
    h(
      'form',
      { novalidate: true, submit, 'data-warns': session.showsLight },
      session.showsLight &&
        h('p', { class: 'warning' }, h('strong', {}, texts.light.title), texts.light.text),
      label,
      alert,
      h(
        'p',
        { class: 'actions' },
        h('button', { class: 'primary', type: 'submit' }, action),
        canHandOver(context) && handoverButton(context),
      ),
    ),
  );
}
