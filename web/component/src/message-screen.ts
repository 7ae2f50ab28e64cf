import { alternativeOf } from './alternative';
import { browserFamily } from './camera';
import { h } from './dom';
import { emblem } from './emblem';
import { fill } from './fill';
import { canHandOver, handoverButton } from './handover';
import { otherWaysButton, tipOf, waysFrom } from './help';
import { copyLink } from './link-field';
import { isLockedOut, LAST, type View } from './machine';
import { messageName } from './message-name';
import { waysOn } from './returning';
import { type Screen, type ScreenContext, screen } from './screen';
import type { Texts } from './texts';

/** Messages that ask for turns of the head. */
const TURNS = ['paused.timeout', 'retry.movement'];
const WAITING: View['at'][] = ['opening', 'askingCamera', 'judging', 'leaving', 'redirecting'];

/** All views that consist of a message with actions. */
export function messageScreen(context: ScreenContext): Screen {
  const { state, texts, asker, address } = context;
  const { view, session } = state;
  const lockedOut = isLockedOut(state);
  const help = view.at === 'paused' ? view.help : undefined;
  const name = lockedOut ? 'lockedOut' : messageName(view);
  const named = (wanted: string) => texts.messages.find((entry) => entry.name === wanted);
  // Texts that a page brought may be older than a hint.
  const message = named(name) ?? (view.at === 'retry' ? named('retry.retry') : undefined);
  if (!message) throw new Error(`The texts have no message ${name}.`);
  const movesDevice = session?.movesDevice ?? false;
  const deviceTip = movesDevice && TURNS.includes(name) && tipOf(texts, 'movement', movesDevice);
  const text = deviceTip || fill(message.text, { asker, time: timeOf(view, texts.locale) }, texts.locale);
  const tip = help && tipOf(texts, help, movesDevice);
  return screen(
    { name, heading: message.heading, figure: emblem(name) },
    h('p', { role: WAITING.includes(view.at) ? 'status' : undefined }, text),
    view.at === 'cameraProblem' && view.problem === 'denied' && allowCamera(texts),
    view.at === 'retry' && session && h('p', {}, attemptsLeft(texts, session.attemptsLeft)),
    view.at === 'blocked' && view.requestId && requestId(texts, view.requestId),
    tip && tip !== text && h('p', {}, tip),
    actions(context, message),
    help
      ? h('p', { class: 'actions' }, ...waysFrom(context, help))
      : mayHelp(view) && h('p', { class: 'actions' }, otherWaysButton(context)),
    session &&
      canTravel(view) &&
      canHandOver(context) &&
      h('p', { class: 'actions' }, handoverButton(context)),
    canTravel(view) && address && copyLink(texts, address),
    needsAlternative(view) && alternativeOf(texts, session),
    ...(lockedOut || LAST.includes(view.at) ? waysOn(context) : []),
  );
}

/** The first button is the one to press without thought, which never ends the check. */
function actions({ state, dispatch }: ScreenContext, { action, secondary }: Texts['messages'][number]) {
  if (!action) return null;
  const { view } = state;
  const button = (kind: 'primary' | 'secondary', label: string, click: () => void) =>
    h('button', { class: kind, type: 'button', click }, label);
  if (view.at === 'leaveAsked')
    return h(
      'p',
      { class: 'actions' },
      button('primary', secondary ?? '', () => dispatch({ type: 'leaveDeclined' })),
      button('secondary', action, () => dispatch({ type: 'leaveConfirmed' })),
    );
  const act = () => (view.at === 'blocked' ? window.location.reload() : dispatch({ type: 'restarted' }));
  return h('p', { class: 'actions' }, button('primary', action, act));
}

/** Whether another browser or device could help. */
const canTravel = (view: View) =>
  (view.at === 'blocked' && (view.why === 'unsupported' || view.why === 'otherDevice')) ||
  needsAlternative(view);

/** Whether this device cannot go on for now. */
const needsAlternative = (view: View) =>
  view.at === 'cameraProblem' || (view.at === 'opening' && view.isStalled);

/** Whether the person may prefer another way to a further try. */
const mayHelp = ({ at }: View) => at === 'paused' || at === 'retry';

function timeOf(view: View, locale: string): string {
  if (view.at !== 'locked') return '';
  return new Date(view.until).toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit' });
}

const attemptsLeft = ({ attempts, locale }: Texts, count: number) =>
  fill(attempts[new Intl.PluralRules(locale).select(count)] ?? attempts.other, { count }, locale);

const requestId = (texts: Texts, id: string) =>
  h('p', { class: 'note' }, `${texts.requestId} `, h('code', { class: 'code' }, id));

function allowCamera(texts: Texts) {
  const family = browserFamily(navigator);
  const { steps = [] } = texts.allowCamera.find(({ name }) => name === family) ?? {};
  return h('ol', { class: 'steps' }, ...steps.map((step) => h('li', {}, step)));
}
