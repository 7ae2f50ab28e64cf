/**
 * The light challenge: the page shows colors around the face, drawn for each attempt, and reports with each frame for how
 * long it has shown them. No color is a saturated red and fewer than two change in a second, a third of the flashes that
 * WCAG 2.2 (2.3.1) allows. A script can read the colors and tint its frames, so this raises the cost of an attack and
 * proves nothing alone.
 */
import { randomInt } from 'node:crypto';
import limits from '@presenza/contract/limits.json';
import type { Light, Rgb } from '@presenza/inference/wire';

/** Part of the state of an attempt with a light challenge. */
export interface CaptureLight {
  /** The colors as `#rrggbb`, in the order of display; the last one stays. */
  readonly colors: readonly string[];
  /** Milliseconds from the first color to each selected frame, as the page reports them, by number of the frame. */
  readonly shownMs: Readonly<Record<number, number>>;
}

/** Differ in hue, so that the chroma of a face changes with each; white lets it return to its own. */
export const lightColors = ['#ffb040', '#40a0ff', '#60ff60', '#ffffff'] as const;

const { colors: colorCount, colorMs } = limits.liveness.light;

/** Set by judgment: transmission and the browser's timers vary by less than half of this on a usable connection. */
const maxDriftMs = 1_000;

/** Two consecutive colors always differ. */
export function drawLight(): CaptureLight {
  const colors: string[] = [];
  for (let at = 0; at < colorCount; at++) {
    const others = lightColors.filter((color) => color !== colors[at - 1]);
    colors.push(others[randomInt(others.length)] as string);
  }
  return { colors, shownMs: {} };
}

/** `light-sequence.json`. */
export const lightView = ({ colors }: CaptureLight) => ({ colors: [...colors], colorMs });

interface WithLight {
  readonly kept: readonly (readonly number[])[];
  readonly light?: CaptureLight;
}

/**
 * Adds the report of a frame to the state of its attempt, and drops those of frames that are no longer selected.
 * @param shownMs undefined if the page reported nothing
 */
export function withReport<State extends WithLight>(
  state: State,
  number: number,
  shownMs: number | undefined,
): State {
  const { light, kept } = state;
  if (!light || shownMs === undefined) return state;
  const reports = Object.entries({ ...light.shownMs, [number]: shownMs });
  const selected = new Set(kept.flat().map(String));
  return {
    ...state,
    light: { ...light, shownMs: Object.fromEntries(reports.filter(([frame]) => selected.has(frame))) },
  };
}

/**
 * The light of the selected frames, in their order, for the inference tier.
 * @returns undefined without a challenge, or if the reports do not pass with the time of the frames: choosing a color for
 *   each frame after the fact could make any face follow them
 */
export function lightOf(
  light: CaptureLight | undefined,
  frames: readonly { readonly number: number; readonly timeMs: number }[],
): Light | undefined {
  if (!light) return undefined;
  const times = frames.flatMap(({ number }) => light.shownMs[number] ?? []);
  if (times.length < frames.length) return undefined;
  const drifts = frames.map(({ timeMs }, i) => timeMs - (times[i] as number));
  const isSteady = Math.max(...drifts) - Math.min(...drifts) <= maxDriftMs;
  if (!isSteady || times.some((time, i) => time < (times[i - 1] ?? 0))) return undefined;
  return { colors: light.colors.map(rgbOf), shown: times.map((time) => shownAt(time, light.colors.length)) };
}

function shownAt(timeMs: number, colors: number) {
  const index = Math.min(colors - 1, Math.floor(timeMs / colorMs));
  return { index, sinceMs: timeMs - index * colorMs };
}

export const rgbOf = (color: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb;
