/**
 * Applies an account's colors with readable contrast (WCAG 2.2, 1.4.3: 4.5:1). A background on which
 * neither ink is readable is ignored. An accent too close to the background shifts toward the ink, as it
 * must if the person prefers dark pages.
 */
import type { Branding } from './wire';

const MIN_CONTRAST = 4.5;
/** Ink and soft ink of tokens.css, for dark text and for light text. */
const INKS = [
  { scheme: 'light', ink: '#13181c', soft: '#4a545b' },
  { scheme: 'dark', ink: '#e9edf3', soft: '#a3afbf' },
] as const;
const ON_ACCENTS = ['#ffffff', '#0d131c', '#000000'];

/** Custom properties of the style sheet. */
export type Palette = Record<`--${string}`, string>;

/** Contrast of two colors by WCAG 2.2, 1 to 21. @param a @param b #rrggbb */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const channels = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** @param share proportion of b, 0 to 1 */
function mix(a: string, b: string, share: number): string {
  const other = channels(b);
  const mixed = channels(a).map((value, i) => Math.round(value + ((other[i] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** The colors that replace the site's. @param paper the site's own background, #rrggbb */
export function paletteOf(colors: Branding['colors'], paper: string): Palette {
  if (!colors) return {};
  const ground = colors.background && groundOf(colors.background);
  const background = ground ? ground['--paper'] : paper;
  return { ...ground, ...accentOf(colors.accent, background ?? paper) };
}

function groundOf(paper: string): Palette | undefined {
  const inks = INKS.find(({ ink, soft }) =>
    [ink, soft].every((text) => contrast(text, paper) >= MIN_CONTRAST),
  );
  if (!inks) return undefined;
  const { scheme, ink, soft } = inks;
  return {
    '--paper': paper,
    '--panel': mix(paper, ink, 0.04),
    '--ink': ink,
    '--ink-soft': soft,
    '--line-strong': mix(paper, ink, 0.4),
    '--scheme': scheme,
  };
}

function accentOf(wanted: string, paper: string): Palette | undefined {
  const ink = INKS.find((candidate) => contrast(candidate.ink, paper) >= MIN_CONTRAST)?.ink;
  if (!ink) return undefined;
  let accent = wanted;
  for (let share = 0; contrast(accent, paper) < MIN_CONTRAST; share += 0.05) accent = mix(wanted, ink, share);
  const text = ON_ACCENTS.find((color) => contrast(color, accent) >= MIN_CONTRAST);
  return text === undefined ? undefined : { '--accent': accent, '--on-accent': text };
}
