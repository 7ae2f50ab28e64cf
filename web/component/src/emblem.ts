import { brackets } from './brackets';
import { svg } from './dom';
import type { View } from './machine';

/** Line drawings of 64 by 64 units by topic. */
const SYMBOLS = {
  check: 'M20 33l8 8L45 24',
  cross: 'M23 23l18 18M41 23L23 41',
  camera: 'M16 23h24v18H16zM40 30l9-5v14l-9-5z',
  noCamera: 'M16 23h24v18H16zM40 30l9-5v14l-9-5zM17 47L47 17',
  pause: 'M26 22v20M38 22v20',
  again: 'M44 27a13.5 13.5 0 1 0 1.5 8M45 18v9.5h-9.5',
  clock: 'M32 18a14 14 0 1 0 .01 0zM32 24v8.5l6 3.5',
  link: 'M29 23l4-4a8 8 0 0 1 11.5 11.5l-4 4M35 41l-4 4a8 8 0 0 1-11.5-11.5l4-4M20 20l24 24',
  question: 'M25.5 26a6.5 6.5 0 1 1 9 6c-2 .9-2.5 2-2.5 4.5M32 43v.01',
  turn: 'M24 18h16v28H24zM30 41h4M14 27c-2 4-2 8 0 12l-4-1M50 37c2-4 2-8 0-12l4 1',
  alert: 'M32 19v17M32 44v.01',
  wait: 'M18 32h.01M32 32h.01M46 32h.01',
} as const;

type Symbol = keyof typeof SYMBOLS;

const BY_NAME: Record<string, Symbol> = {
  askingCamera: 'camera',
  handover: 'turn',
  stillness: 'turn',
  otherWays: 'question',
  lockedOut: 'clock',
  'paused.rotated': 'turn',
  'paused.cameraEnded': 'noCamera',
  'paused.timeout': 'clock',
  'paused.connection': 'alert',
  'blocked.linkInvalid': 'link',
  'ended.completed': 'check',
  'ended.failed': 'cross',
  'ended.cancelled': 'cross',
  'ended.expired': 'clock',
};

const BY_VIEW: Partial<Record<View['at'], Symbol>> = {
  cameraProblem: 'noCamera',
  paused: 'pause',
  retry: 'again',
  locked: 'clock',
  leaveAsked: 'question',
  blocked: 'alert',
};

/** @param name of the message */
export function emblem(name: string): SVGElement {
  const symbol = BY_NAME[name] ?? BY_VIEW[name.split('.')[0] as View['at']] ?? 'wait';
  return svg(
    'svg',
    { class: 'emblem', viewBox: '1.5 1.5 61 61', 'data-symbol': symbol, 'aria-hidden': 'true' },
    brackets({ x: 2, y: 2, width: 60, height: 60, arm: 13 }),
    svg('path', { class: 'symbol', d: SYMBOLS[symbol] }),
  );
}
