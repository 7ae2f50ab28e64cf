/** The colours of all themes in both modes, as the style sheets have them: who reads shall be able to (WCAG 2.2, AA). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { THEMES } from '../features/theme/themes';
import { contrast } from '../features/verify/branding';

const TEXT = 4.5;
/** WCAG 2.2, 1.4.11: what has to be seen to use a control, such as the outline of a field or the mark of the focus. */
const OUTLINE = 3;

const read = (file: string) => readFileSync(join(__dirname, file), 'utf8');
const TOKENS = read('tokens.css');
const ACCENTS = read('../features/theme/themes.css');

type Colors = Record<string, string>;

/** The colours that a rule sets, by name; short forms written out. */
function colorsOf(css: string, selector: string): Colors {
  const at = css.indexOf(`${selector} {`);
  if (at < 0) throw new Error(`There is no rule for ${selector}.`);
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

test('the night is the same for those whose system is dark and for those who chose it', () => {
  const [, media = ''] = TOKENS.split('@media (prefers-color-scheme: dark)');
  expect(colorsOf(media, ':root:not([data-mode="light"])')).toEqual(NIGHT);
  expect(Object.keys(NIGHT)).toEqual(Object.keys(DAY));
});

describe.each(THEMES)('%s', (theme) => {
  const accents = colorsOf(ACCENTS, `[data-theme="${theme}"]`);
  describe.each([
    ['day', DAY],
    ['night', NIGHT],
  ] as const)('by %s', (mode, base) => {
    const colors: Colors = { ...base, accent: accents[`accent-${mode}`] ?? '' };
    const ratio = (a: string, b: string) => contrast(colors[a] ?? '', colors[b] ?? '');

    test.each(
      ['ink', 'ink-soft', 'accent', 'code-1', 'code-2', 'code-3'].flatMap((text) => [
        [text, 'paper'],
        [text, 'panel'],
      ]),
    )('%s can be read on %s', (text, ground) => {
      expect(ratio(text, ground)).toBeGreaterThanOrEqual(TEXT);
    });

    test('text can be read on the accent, and on ink when a button is pointed at', () => {
      expect(ratio('on-accent', 'accent')).toBeGreaterThanOrEqual(TEXT);
      expect(ratio('paper', 'ink')).toBeGreaterThanOrEqual(TEXT);
    });

    test.each(['accent', 'ink', 'ink-soft'])('an outline of %s can be seen', (outline) => {
      expect(ratio(outline, 'paper')).toBeGreaterThanOrEqual(OUTLINE);
      expect(ratio(outline, 'panel')).toBeGreaterThanOrEqual(OUTLINE);
    });
  });
});
