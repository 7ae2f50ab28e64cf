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
const THEMES_CSS = read('../features/theme/themes.css');

type Colors = Record<string, string>;

function ruleOf(css: string, selector: string): string {
  const at = css.indexOf(`\n${selector} {`);
  if (at < 0) throw new Error(`The style sheet has no rule for ${selector}.`);
  return css.slice(at, css.indexOf('}', at));
}

/** The colors of a rule by name, with expanded short forms. @param themeColors replace the colors that a theme may set */
const colorsOf = (rule: string, themeColors: Colors = {}): Colors =>
  Object.fromEntries(
    [...rule.matchAll(/--([\w-]+): (?:var\(--([\w-]+), )?#([0-9a-f]{3,6})\)?;/g)].map(
      ([, name, variable = '', hex = '']) => [
        name,
        themeColors[variable] ??
          `#${hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex}`,
      ],
    ),
  );

const RULES = { day: ruleOf(TOKENS, ':root'), night: ruleOf(TOKENS, ':root[data-mode="dark"]') };

test('dark mode has the same colors by system setting and by choice', () => {
  const [, media = ''] = TOKENS.replace(/^ +/gm, '').split('@media (prefers-color-scheme: dark)');
  const declarations = (rule: string) => rule.match(/--.+;/g);
  expect(declarations(ruleOf(media, ':root:not([data-mode="light"])'))).toEqual(declarations(RULES.night));
  expect(Object.keys(colorsOf(RULES.night))).toEqual(Object.keys(colorsOf(RULES.day)));
});

test('the black theme is black and white', () => {
  const themeColors = colorsOf(ruleOf(THEMES_CSS, '[data-theme="black"]'));
  const [black, white] = ['#000000', '#ffffff'];
  expect(themeColors).toMatchObject({ 'accent-day': black, 'accent-night': white });
  expect(colorsOf(RULES.day, themeColors)).toMatchObject({ paper: white, ink: black, 'on-accent': white });
  expect(colorsOf(RULES.night, themeColors)).toMatchObject({ paper: black, 'on-accent': black });
  for (const name of Object.keys(themeColors).filter((name) => !name.startsWith('accent')))
    expect(TOKENS).toContain(`var(--${name}, `);
});

describe.each(THEMES)('%s', (theme) => {
  const themeColors = colorsOf(ruleOf(THEMES_CSS, `[data-theme="${theme}"]`));
  describe.each(['day', 'night'] as const)('by %s', (mode) => {
    const colors: Colors = {
      ...colorsOf(RULES[mode], themeColors),
      accent: themeColors[`accent-${mode}`] ?? '',
    };
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
