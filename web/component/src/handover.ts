/** Continues a session on a phone, while this page follows it. */
import { h, setText } from './dom';
import { emblem } from './emblem';
import type { State } from './machine';
import { type Screen, type ScreenContext, screen } from './screen';

/** Marks the link for the phone: the page that shows the code returns to the account's application, not the phone. */
const MARK = 'handover';

/** A mouse and room for the code. */
const DESKTOP = '(hover: hover) and (pointer: fine) and (min-width: 48rem)';

export const canHandOver = ({ address }: ScreenContext) =>
  address !== null &&
  /^https?:/i.test(address) &&
  !isHandedOver(address) &&
  window.matchMedia(DESKTOP).matches;

/** @param address of the session */
export const isHandedOver = (address: string | null) =>
  address !== null && new RegExp(`^[^#]*[?&]${MARK}=`).test(address);

export function addressForPhone(address: string): string {
  const url = new URL(address);
  url.searchParams.set(MARK, '1');
  return url.href;
}

export const handoverButton = ({ texts, dispatch }: ScreenContext) =>
  h(
    'button',
    { class: 'secondary', type: 'button', click: () => dispatch({ type: 'handoverAsked' }) },
    texts.handover.action,
  );

/** Only desktops load the encoder. Without it the person can still go back. */
async function showCode(place: HTMLElement, address: string, label: string): Promise<void> {
  const { qrCode } = await import(/* webpackChunkName: "qr-code" */ './qr-code');
  place.append(qrCode(address, label));
}

/** The code, and the state of the session on the phone. */
export function handoverScreen({ state, texts, address, dispatch }: ScreenContext): Screen {
  const { heading, text, code, waiting, checking, back } = texts.handover;
  const status = h('p', { class: 'note', role: 'status' });
  const update = ({ view }: State) =>
    setText(status, view.at === 'handover' && view.checking ? checking : waiting);
  update(state);
  const place = h('div', { class: 'qr' });
  void showCode(place, addressForPhone(address ?? ''), code);
  const shown = screen(
    { name: 'handover', heading, figure: emblem('handover') },
    h('p', {}, text),
    place,
    status,
    h(
      'p',
      { class: 'actions' },
      h('button', { class: 'secondary', type: 'button', click: () => dispatch({ type: 'backAsked' }) }, back),
    ),
  );
  return { ...shown, update };
}
