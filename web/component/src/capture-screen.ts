import { h, setAttributes, setText } from './dom';
import { fill } from './fill';
import { type State, usesCamera, type View } from './machine';
import type { Screen, ScreenContext } from './screen';
import { createStage } from './stage';
import { type Steady, steady } from './steady';
import { directionOf, stillnessButton } from './stillness';
import type { Guidance } from './wire';
import { textOf } from './words';

type CameraView = Extract<View, { at: 'beginning' | 'capturing' }>;

/** The preview with one instruction at a time and guidance for better frames. */
export function captureScreen(view: CameraView, context: ScreenContext): Screen {
  const { state, words } = context;
  const movesDevice = state.session?.movesDevice ?? false;
  const movements = movesDevice ? words.deviceMovements : words.movements;
  const stage = createStage(view.camera, words.capture.preview);
  // Screen readers announce changes; the heading has the focus from the start of the capture.
  const heading = h('h1', { tabindex: -1, 'aria-live': 'polite', 'aria-atomic': 'true' });
  const step = h('p', { class: 'step' });
  const hint = h('p', { class: 'guidance', role: 'status' });
  const meter = h('progress', { class: 'visually-hidden', 'aria-label': words.capture.progress });
  let settled: { step: number; guidance: Steady<Guidance> } | null = null;

  /** Guidance that stands long enough to be read. A new step starts with the current one. */
  function settle(guidance: Guidance, index: number): Guidance {
    const before = settled?.step === index ? settled.guidance : null;
    settled = { step: index, guidance: steady(before, guidance, performance.now()) };
    return settled.guidance.shown;
  }

  function update({ view, trouble }: State) {
    if (!usesCamera(view)) return;
    const live = view.at === 'capturing' ? view : null;
    const steps = live?.attempt.steps ?? 1;
    const index = Math.min(live?.step.index ?? 0, steps - 1);
    const movement = live?.step.movement ?? null;
    const guidance = settle(live?.guidance ?? 'ok', index);
    const steadyText = live ? words.capture.steady : '';
    setText(heading, movement ? textOf(movements, movement) : words.capture.beginning);
    setText(step, live ? fill(words.capture.step, { step: index + 1, steps }, words.locale) : '\u00a0');
    setText(
      hint,
      (trouble && textOf(words.trouble, trouble)) ||
        (guidance === 'ok' ? steadyText : textOf(words.guidance, guidance)),
    );
    setAttributes(hint, { 'data-ok': guidance === 'ok' && !trouble });
    setAttributes(meter, { max: steps, value: index });
    stage.update(
      movement && directionOf(movement, movesDevice),
      Math.min((index + (live?.progress ?? 0)) / steps, 1),
    );
  }

  update(state);
  const element = h(
    'div',
    { class: 'capture' },
    h('div', { class: 'words' }, heading, step),
    h('div', { class: 'image' }, stage.element),
    h('div', { class: 'words' }, hint, meter, !movesDevice && stillnessButton(context)),
  );
  return { element, heading, video: stage.video, update, dispose: stage.dispose };
}
