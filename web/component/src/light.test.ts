import { brighten, type Clock, showLight } from './light';

/** Custom properties of an element, and a clock whose frames a test draws. */
function page() {
  const properties = new Map([['--presenza-paper', '#0d131c']]);
  const style = {
    getPropertyValue: (name: string) => properties.get(name) ?? '',
    setProperty: (name: string, value: string) =>
      value === '' ? properties.delete(name) : properties.set(name, value),
  };
  let now = 500;
  let next: (() => void) | undefined;
  const clock: Clock = {
    performance: { now: () => now },
    requestAnimationFrame: (step) => {
      next = step;
      return 1;
    },
    cancelAnimationFrame: () => {
      next = undefined;
    },
  };
  const draw = (ms: number) => {
    now += ms;
    next?.();
  };
  return {
    element: { style } as unknown as HTMLElement,
    properties,
    clock,
    draw,
    draws: () => next !== undefined,
  };
}

const sequence = { colors: ['#ffb040', '#40a0ff'], colorMs: 600 };

test('shows each color for its time and the last one until the end, and restores the page', () => {
  const { element, properties, clock, draw, draws } = page();
  const abort = new AbortController();
  const shownMs = showLight(element, sequence, { clock, signal: abort.signal });
  const seen = () => [shownMs(), properties.get('--presenza-paper'), properties.get('--presenza-panel')];
  expect(seen()).toEqual([0, '#ffb040', '#ffb040']);
  draw(599.5);
  expect(seen()).toEqual([599, '#ffb040', '#ffb040']);
  draw(0.5);
  expect(seen()).toEqual([600, '#40a0ff', '#40a0ff']);
  draw(5_000);
  expect(seen()).toEqual([5_600, '#40a0ff', '#40a0ff']);
  expect(properties.get('--presenza-ink')).toBe('#111418');
  abort.abort();
  expect([...properties]).toEqual([['--presenza-paper', '#0d131c']]);
  expect(draws()).toBe(false);
});

test('lights a face with a white page until the end, and restores the page', () => {
  const { element, properties } = page();
  const abort = new AbortController();
  brighten(element, abort.signal);
  const shown = ['paper', 'panel', 'ink'].map((name) => properties.get(`--presenza-${name}`));
  expect(shown).toEqual(['#ffffff', '#ffffff', '#111418']);
  abort.abort();
  expect([...properties]).toEqual([['--presenza-paper', '#0d131c']]);
});
