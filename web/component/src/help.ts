/** Help for a person who does not get on: a tip, and the other ways to complete the check. */
import { alternativeOf, section } from './alternative';
import { type Child, h } from './dom';
import { emblem } from './emblem';
import { canHandOver, handoverButton } from './handover';
import { copyLink } from './link-field';
import type { Help } from './machine';
import { type Screen, type ScreenContext, screen } from './screen';
import { stillnessButton } from './stillness';
import { type Texts, textOf } from './texts';

/** Says what may help. Empty in an outage, or if the page brought texts of its own that lack it. */
export function tipOf({ help }: Texts, name: Help | 'outage', movesDevice: boolean): string {
  const key = name === 'movement' && movesDevice ? 'deviceMovement' : name;
  return help ? textOf(help.tips, key) : '';
}

export const otherWaysButton = ({ texts, dispatch }: ScreenContext) =>
  h(
    'button',
    { class: 'secondary', type: 'button', click: () => dispatch({ type: 'otherWaysAsked' }) },
    texts.alternative.heading,
  );

/** Buttons below a tip: the most suitable way first. */
export const waysFrom = (context: ScreenContext, name: Help | 'outage'): Child[] => [
  name === 'movement' && !context.state.session?.movesDevice && stillnessButton(context, 'secondary'),
  canHandOver(context) && handoverButton(context),
  otherWaysButton(context),
];

/** All ways to complete the check. */
export function otherWaysScreen(context: ScreenContext): Screen {
  const { state, texts, address, dispatch } = context;
  const { alternative, help, stillness } = texts;
  const { session } = state;
  const actions = (...children: Child[]) => h('p', { class: 'actions' }, ...children);
  const deviceChosen = () => dispatch({ type: 'deviceChosen' });
  return screen(
    { name: 'otherWays', heading: help?.heading ?? alternative.heading, figure: emblem('otherWays') },
    session &&
      !session.movesDevice &&
      section(
        stillness.heading,
        h('p', {}, stillness.text),
        actions(h('button', { class: 'secondary', type: 'button', click: deviceChosen }, stillness.choose)),
      ),
    h(
      'div',
      { class: 'section' },
      canHandOver(context) ? actions(handoverButton(context)) : address && copyLink(texts, address),
    ),
    alternativeOf(texts, session),
    actions(
      h(
        'button',
        { class: 'primary', type: 'button', click: () => dispatch({ type: 'backAsked' }) },
        stillness.back,
      ),
    ),
  );
}
