import { alternativeOf } from './alternative';
import { consentData } from './consent-data';
import { consentDrawing } from './consent-drawing';
import { h, setAttributes, setText } from './dom';
import { fill } from './fill';
import { canHandOver, handoverButton } from './handover';
import { consentPoints } from './light';
import type { Session } from './machine';
import { type Screen, type ScreenContext, screen } from './screen';
import { stillnessButton } from './stillness';

/** Explains the check, its requester and data retention, and asks for consent. */
export function consentScreen(session: Session, context: ScreenContext): Screen {
  const { words, asker, dispatch } = context;
  const { heading, agreement, missing, action } = words.consent;
  const name = session.branding?.name;
  const responsible = session.controller?.name ?? asker;

  const box = h('input', { type: 'checkbox', required: true, 'aria-invalid': 'false' });
  const label = h(
    'label',
    { class: 'consent' },
    box,
    h('span', {}, fill(agreement, { responsible }, words.locale)),
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
    h('p', { class: 'lead' }, name ? fill(words.askedBy, { name }, words.locale) : words.askedBySomebody),
    h(
      'ul',
      { class: 'points' },
      ...consentPoints(words, session.showsLight).map(({ title, text }) =>
        h('li', {}, h('strong', {}, title), h('span', {}, text)),
      ),
    ),
    h('p', {}, session.movesDevice ? words.stillness.chosen : stillnessButton(context)),
    consentData(session, words, asker),
    alternativeOf(words, session),
    h(
      'form',
      { novalidate: true, submit },
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
