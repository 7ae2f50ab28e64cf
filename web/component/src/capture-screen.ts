import { h, setAttributes, setText } from './dom';
import { fill } from './fill';
import { tipOf, waysFrom } from './help';
import { type Help, type State, usesCamera, type View } from './machine';
import type { Screen, ScreenContext } from './screen';
import { createStage } from './stage';
import { type Steady, steady } from './steady';
import { directionOf, stillnessButton } from './stillness';
import { textOf } from './texts';
import type { Guidance } from './wire';

type CameraView = Extract<View, { at: 'beginning' | 'capturing' }>;

/** The preview with one instruction at a time and guidance for better frames. */
export function captureScreen(view: CameraView, context: ScreenContext): Screen {
  const { state, texts } = context;
  const movesDevice = state.session?.movesDevice ?? false;
  const movements = movesDevice ? texts.deviceMovements : texts.movements;
  const stage = createStage(view.camera, texts.capture.preview);
  // Screen readers announce changes; the heading has the focus from the start of the capture.
  const heading = h('h1', { tabindex: -1, 'aria-live': 'polite', 'aria-atomic': 'true' });
  const step = h('p', { class: 'step' });
  const hint = h('p', { class: 'guidance', role: 'status' });
  const meter = h('progress', { class: 'visually-hidden', 'aria-label': texts.capture.progress });
  const tip = h('p', { role: 'status' });
  const ways = h('p', { class: 'actions' });
  const offer = h('section', { class: 'offer', hidden: true }, h('h2', {}, texts.help?.heading), tip, ways);
  const still = !movesDevice && stillnessButton(context);
  let offered: Help | 'outage' | undefined;
  let settled: { prompt: string; guidance: Steady<Guidance> } | null = null;

  /** Guidance that stands long enough to be read. A new step starts with the current one. */
  function settle(guidance: Guidance, prompt: string): Guidance {
    const before = settled?.prompt === prompt ? settled.guidance : null;
    settled = { prompt, guidance: steady(before, guidance, performance.now()) };
    return settled.guidance.shown;
  }

  /** Buttons that go away pass their focus on, to those in their place or to the step. */
  function offerHelp(help: Help | 'outage' | undefined) {
    // The buttons stay where they are while the help is the same.
    if (help === offered) return;
    offered = help;
    const { activeElement } = element.getRootNode() as Document | ShadowRoot;
    const losesFocus = ways.contains(activeElement) || (help && activeElement === still);
    setText(tip, help ? tipOf(texts, help, movesDevice) : '');
    ways.textContent = '';
    ways.append(...(help ? waysFrom(context, help) : []).filter((way) => way instanceof Node));
    setAttributes(offer, { hidden: !help });
    setAttributes(element, { 'data-offers': help !== undefined });
    if (losesFocus) (ways.querySelector('button') ?? heading).focus();
  }

  /** A head that stays still does not turn back. */
  const guide = (guidance: Guidance) =>
    guidance === 'turned' && movesDevice ? textOf(movements, 'centre') : textOf(texts.guidance, guidance);

  function update({ view, trouble }: State) {
    if (!usesCamera(view)) return;
    const live = view.at === 'capturing' ? view : null;
    const steps = live?.attempt.steps ?? 1;
    const index = Math.min(live?.step.index ?? 0, steps - 1);
    const movement = live?.step.movement ?? null;
    const isReturn = index > 0 && movement === 'centre';
    const guidance = settle(live?.guidance ?? 'ok', `${index} ${movement}`);
    const steadyText = live ? texts.capture.steady : '';
    setText(heading, movement ? textOf(movements, movement) : texts.capture.beginning);
    setText(step, live ? fill(texts.capture.step, { step: index + 1, steps }, texts.locale) : '\u00a0');
    setText(
      hint,
      (trouble && textOf(texts.trouble, trouble)) || (guidance === 'ok' ? steadyText : guide(guidance)),
    );
    setAttributes(hint, { 'data-ok': guidance === 'ok' && !trouble });
    setAttributes(meter, { max: steps, value: index });
    offerHelp(view.at === 'capturing' ? view.help : view.isStalled ? 'outage' : undefined);
    stage.update(
      movement && directionOf(movement, movesDevice),
      Math.min((index + (isReturn ? 0 : (live?.progress ?? 0))) / steps, 1),
    );
  }

  const element = h(
    'div',
    { class: 'capture' },
    h('div', { class: 'words' }, heading, step),
    h('div', { class: 'image' }, stage.element),
    h('div', { class: 'words' }, hint, meter, offer, still),
  );
  update(state);
  return { element, heading, video: stage.video, update, dispose: stage.dispose };
}
