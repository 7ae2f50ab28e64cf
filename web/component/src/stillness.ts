/** The capture for people who cannot turn their head: the camera moves around it, which changes the relative pose in the same way. */
import { alternativeOf } from './alternative';
import { h } from './dom';
import { emblem } from './emblem';
import { type Screen, type ScreenContext, screen } from './screen';
import type { Movement } from './wire';

/** The movement of the camera that replaces each movement of the head. */
const OPPOSITE: Readonly<Record<Movement, Movement>> = {
  centre: 'centre',
  left: 'right',
  right: 'left',
  up: 'down',
  down: 'up',
};

/** The direction in which something moves: the head, or the device. */
export const directionOf = (movement: Movement, movesDevice: boolean) =>
  movesDevice ? OPPOSITE[movement] : movement;

export const stillnessButton = ({ texts, dispatch }: ScreenContext, kind: 'quiet' | 'secondary' = 'quiet') =>
  h(
    'button',
    { class: kind, type: 'button', click: () => dispatch({ type: 'stillnessAsked' }) },
    kind === 'quiet' ? texts.stillness.action : texts.stillness.choose,
  );

export function stillnessScreen({ state, texts, dispatch }: ScreenContext): Screen {
  const { heading, text, choose, back } = texts.stillness;
  return screen(
    { name: 'stillness', heading, figure: emblem('stillness') },
    h('p', {}, text),
    h(
      'p',
      { class: 'actions' },
      h(
        'button',
        { class: 'primary', type: 'button', click: () => dispatch({ type: 'deviceChosen' }) },
        choose,
      ),
      h('button', { class: 'secondary', type: 'button', click: () => dispatch({ type: 'backAsked' }) }, back),
    ),
    alternativeOf(texts, state.session),
  );
}
