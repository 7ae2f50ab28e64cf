/** The next steps from a view that ends the check on this device. */
import { alternativeOf } from './alternative';
import { type Child, h } from './dom';
import { isHandedOver } from './handover';
import type { View } from './machine';
import { returnAddress } from './return-url';
import type { ScreenContext } from './screen';

/** Time to read the outcome. People who need more can stay. */
const RETURN_MS = 6000;

/** The status that the application gets. A session that is locked or blocked has started and not ended. */
const statusOf = (view: View) => (view.at === 'ended' ? view.status : 'started');

/** The link back to the account's application, and after a check that did not pass, the other way. */
export function waysOn(context: ScreenContext): Child[] {
  const { state, texts, address } = context;
  const { view, session } = state;
  const passed = view.at === 'ended' && view.status === 'completed';
  const back = returnAddressOf(context);
  const canReturn = back !== null && !isHandedOver(address);
  return [
    ...(canReturn ? linksTo(back, context) : [passed && h('p', { class: 'note' }, texts.return.close)]),
    !passed && session?.alternative && alternativeOf(texts, session),
  ];
}

function returnAddressOf({ state: { view, session }, sessionId }: ScreenContext): string | null {
  const returnUrl = (view.at === 'ended' ? view.returnUrl : undefined) ?? session?.returnUrl;
  return returnUrl && sessionId ? returnAddress(returnUrl, sessionId, statusOf(view)) : null;
}

/** A page that embeds the element decides itself what follows, and only the end of a session leads away by itself. */
function linksTo(address: string, { state, texts, autoReturn, signal }: ScreenContext): Child[] {
  const { action, stay, soon } = texts.return;
  const link = h('a', { class: 'primary', href: address, rel: 'noreferrer' }, action);
  if (!autoReturn || state.view.at !== 'ended') return [h('p', { class: 'actions' }, link)];
  const timer = setTimeout(() => window.location.assign(address), RETURN_MS);
  signal.addEventListener('abort', () => clearTimeout(timer));
  const note = h('p', { class: 'note' }, soon);
  const click = () => {
    clearTimeout(timer);
    button.remove();
    note.remove();
    link.focus();
  };
  const button = h('button', { class: 'secondary', type: 'button', click }, stay);
  return [h('p', { class: 'actions' }, link, button), note];
}
