/** Simulates one attempt as the gateway runs it: the guidance analyzes each frame and advances the steps. */
import type { DetectReply, Light, ShownColor } from '@presenza/inference/wire';
import type { Evidence, Movement, StepRecord } from '../../../src/services/liveness/capture/evidence';
import { type SelectedFrames, selectFrame } from '../../../src/services/liveness/capture/frame-selection';
import { type Guidance, guide } from '../../../src/services/liveness/capture/guidance';
import {
  advance,
  beginning,
  isDone,
  type Progress,
  wantsCentre,
} from '../../../src/services/liveness/capture/steps';
import { jpegOf } from './image';
import { colorMs } from './light';
import type { Color, Subject } from './subject';

export interface AttemptOptions {
  /** The first is `centre`. */
  readonly movements: readonly Movement[];
  /** Finds the faces of an encoded frame, with their pose. */
  readonly look: (jpeg: Buffer) => Promise<DetectReply['faces']>;
  /** Between two frames, in milliseconds. Default 200. */
  readonly intervalMs?: number;
  /**
   * A step that the guidance blocks for this long counts as complete, because attempts that the guidance blocks never
   * reach the verdict, which is measured here. Default 5000.
   */
  readonly patienceMs?: number;
  /** Colors that the page shows one after the other, for a light challenge. */
  readonly colors?: readonly Color[];
}

export type Attempt = Omit<Evidence, 'signals'> & {
  /** The selected frames, encoded. */
  readonly images: readonly Buffer[];
  /** With a light challenge: the color that each of them was taken under. */
  readonly light?: Light | undefined;
  /** Steps that ended by the time limit. */
  readonly forced: number;
};

const jitterMs = [0, 24, 7, 31, 12];

export async function recordAttempt(subject: Subject, options: AttemptOptions): Promise<Attempt> {
  const { movements, look, intervalMs = 200, patienceMs = 5000, colors = [] } = options;
  const images = new Map<number, Buffer>();
  const arrivalsMs: number[] = [];
  const sizes: { width: number; height: number }[] = [];
  const shown: ShownColor[] = [];
  const steps: StepRecord[] = [];
  let selected: SelectedFrames = [];
  let progress: Progress = beginning;
  let before: Guidance = 'ok';
  let fromMs = 0;
  let forced = 0;
  subject.instruct('centre', 0);
  for (let number = 0; !isDone(progress, movements) && number < 400; number++) {
    const { step } = progress;
    const movement = movements[step] as Movement;
    const ms = intervalMs * (number + 1);
    const color = shownAt(ms, colors.length);
    const last = shown.at(-1)?.index ?? -1;
    for (let index = last + 1; index <= color.index && index < colors.length; index++) {
      subject.shine?.(colors[index] as Color, index * colorMs);
    }
    shown.push(color);
    const frame = await subject.frameAt(ms);
    const image = await jpegOf(frame);
    // Jitter of the network.
    arrivalsMs.push(ms + (jitterMs[number % jitterMs.length] as number));
    sizes.push({ width: frame.width, height: frame.height });
    images.set(number, image);
    const next = selectFrame(selected, step, number, movements.length);
    selected = next.selected;
    if (next.dropped !== undefined) images.delete(next.dropped);
    const frontal = wantsCentre(progress, movement);
    const sight = guide(await look(image), { before, frontal, neutral: progress.neutral });
    before = sight.guidance;
    progress = advance(progress, movements, sight.pose && { ...sight.pose, good: sight.guidance === 'ok' });
    const now = arrivalsMs[number] as number;
    if (progress.step === step && now - fromMs >= patienceMs) {
      progress = { ...beginning, step: step + 1, neutral: progress.neutral };
      forced += 1;
    }
    if (progress.step === step) continue;
    steps.push({ movement, fromMs, toMs: now });
    fromMs = now;
    const requested = movements[progress.step];
    if (requested) subject.instruct(requested, ms);
  }
  const numbers = selected.flat();
  return {
    images: numbers.map((number) => images.get(number) as Buffer),
    steps,
    frames: {
      arrivalsMs,
      kept: numbers,
      stepOf: selected.flatMap((frames, step) => frames.map(() => step)),
      sizes: numbers.map((number) => sizes[number] as { width: number; height: number }),
      refused: { repeated: 0, stale: 0, foreign: 0 },
    },
    ...(colors.length > 0 && {
      light: { colors, shown: numbers.map((number) => shown[number] as ShownColor) },
    }),
    camera: { label: 'Integrated Camera', frameRate: 1000 / intervalMs },
    transport: { isSigned: true, clientFaults: [] },
    forced,
  };
}

/** The page changes its color at fixed times; the last color stays. */
function shownAt(ms: number, count: number): ShownColor {
  const index = Math.max(0, Math.min(Math.floor(ms / colorMs), count - 1));
  return { index, sinceMs: ms - index * colorMs };
}
