import { browserFamily } from './camera';
import { h, setText } from './dom';
import { emblem } from './emblem';
import { fill } from './fill';
import { canHandOver, handoverButton } from './handover';
import { isLockedOut, LAST, type View } from './machine';
import { messageName } from './message-name';
import { waysOn } from './returning';
import { type Screen, type ScreenContext, screen } from './screen';
import type { Words } from './words';

const WAITING: View['at'][] = ['opening', 'askingCamera', 'judging', 'leaving', 'redirecting'];

/** All views that consist of a message with actions. */
export function messageScreen(context: ScreenContext): Screen {
  const { state, words, asker, address } = context;
  const { view, session } = state;
  const lockedOut = isLockedOut(state);
  const name = lockedOut ? 'lockedOut' : messageName(view);
  const message = words.messages.find((entry) => entry.name === name);
  if (!message) throw new Error(`The words have no message ${name}.`);
  const text = fill(message.text, { asker, time: timeOf(view, words.locale) }, words.locale);
  return screen(
    { name, heading: message.heading, figure: emblem(name) },
    h('p', { role: WAITING.includes(view.at) ? 'status' : undefined }, text),
    view.at === 'cameraProblem' && view.problem === 'denied' && allowCamera(words),
    view.at === 'retry' && session && h('p', {}, attemptsLeft(words, session.attemptsLeft)),
    view.at === 'blocked' && view.requestId && requestId(words, view.requestId),
    actions(context, message),
    session &&
      canTravel(view) &&
      canHandOver(context) &&
      h('p', { class: 'actions' }, handoverButton(context)),
    canTravel(view) && address && copyLink(words, address),
    ...(lockedOut || LAST.includes(view.at) ? waysOn(context) : []),
  );
}

/** The first button is the one to press without thought, which never ends the check. */
function actions({ state, dispatch }: ScreenContext, { action, secondary }: Words['messages'][number]) {
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
  (view.at === 'cameraProblem' && (view.problem === 'none' || view.problem === 'failed'));

function timeOf(view: View, locale: string): string {
  if (view.at !== 'locked') return '';
  return new Date(view.until).toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit' });
}

const attemptsLeft = ({ attempts, locale }: Words, count: number) =>
  fill(attempts[new Intl.PluralRules(locale).select(count)] ?? attempts.other, { count }, locale);

const requestId = (words: Words, id: string) =>
  h('p', { class: 'note' }, `${words.requestId} `, h('code', { class: 'code' }, id));

function allowCamera(words: Words) {
  const family = browserFamily(navigator);
  const { steps = [] } = words.allowCamera.find(({ name }) => name === family) ?? {};
  return h('ol', { class: 'steps' }, ...steps.map((step) => h('li', {}, step)));
}

/** Shows the link, which the address bar does not contain, for use in another browser or device. */
function copyLink({ copy }: Words, address: string) {
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
