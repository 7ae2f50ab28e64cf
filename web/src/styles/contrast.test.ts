/** The colors of all themes and modes in the style sheets meet WCAG 2.2 AA. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contrast } from '../../component/src/branding';
import { THEMES } from '../features/theme/themes';

const TEXT = 4.5;
const TEXTS = ['ink', 'ink-soft', 'accent', 'good', 'danger', 'caution', 'code-1', 'code-2', 'code-3'];
/** WCAG 2.2, 1.4.11: outlines of controls and focus indicators. */
const OUTLINE = 3;

const read = (file: string) => readFileSync(join(__dirname, file), 'utf8');
const TOKENS = read('tokens.css');
const ACCENTS = read('../features/theme/themes.css');

type Colors = Record<string, string>;

/** The custom properties of a rule, by name, with expanded short forms. */
function colorsOf(css: string, selector: string): Colors {
  const at = css.indexOf(`${selector} {`);
  if (at < 0) throw new Error(`The style sheet has no rule for ${selector}.`);
  const body = css.slice(at, css.indexOf('}', at));
  return Object.fromEntries(
    [...body.matchAll(/--([\w-]+): #([0-9a-f]{3,6});/g)].map(([, name, hex = '']) => [
      name,
      `#${hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex}`,
    ]),
  );
}

const DAY = colorsOf(TOKENS, ':root');
const NIGHT = colorsOf(TOKENS, ':root[data-mode="dark"]');

test('dark mode has the same colors by system setting and by choice', () => {
  const [, media = ''] = TOKENS.split('@media (prefers-color-scheme: dark)');
  expect(colorsOf(media, ':root:not([data-mode="light"])')).toEqual(NIGHT);
  expect(Object.keys(NIGHT)).toEqual(Object.keys(DAY));
});

/** The grounds of the black theme, in place of the tinted ones. */
const BLACK = {
  day: colorsOf(ACCENTS, '\n:root[data-theme="black"]'),
  night: colorsOf(ACCENTS, ':root[data-theme="black"][data-mode="dark"]'),
};

test('the black theme is black and white, by system setting and by choice', () => {
  expect(colorsOf(ACCENTS, ':root[data-theme="black"]:not([data-mode="light"])')).toEqual(BLACK.night);
  expect(Object.keys(BLACK.night)).toEqual(Object.keys(BLACK.day));
  expect(BLACK.day).toMatchObject({ paper: '#ffffff', ink: '#000000' });
  expect(BLACK.night.paper).toBe('#000000');
  const { 'accent-day': day, 'accent-night': night } = colorsOf(ACCENTS, '\n[data-theme="black"]');
  expect([day, night]).toEqual(['#000000', '#ffffff']);
});

describe.each(THEMES)('%s', (theme) => {
  const accents = colorsOf(ACCENTS, `\n[data-theme="${theme}"]`);
  describe.each([
    ['day', DAY],
    ['night', NIGHT],
  ] as const)('by %s', (mode, base) => {
    const own = theme === 'black' ? BLACK[mode] : {};
    const colors: Colors = { ...base, ...own, accent: accents[`accent-${mode}`] ?? '' };
    const ratio = (a: string, b: string) => contrast(colors[a] ?? '', colors[b] ?? '');

    test.each(
      TEXTS.flatMap((text) => [
        [text, 'paper'],
        [text, 'panel'],
      ]),
    )('%s can be read on %s', (text, ground) => {
      expect(ratio(text, ground)).toBeGreaterThanOrEqual(TEXT);
    });

    test('text is readable on the accent, and on ink for hovered buttons', () => {
      expect(ratio('on-accent', 'accent')).toBeGreaterThanOrEqual(TEXT);
      expect(ratio('paper', 'ink')).toBeGreaterThanOrEqual(TEXT);
    });

    test.each(['accent', 'ink', 'ink-soft'])('an outline of %s is visible', (outline) => {
      expect(ratio(outline, 'paper')).toBeGreaterThanOrEqual(OUTLINE);
      expect(ratio(outline, 'panel')).toBeGreaterThanOrEqual(OUTLINE);
    });
  });
});
