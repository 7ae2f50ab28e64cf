/** Simulates one attempt as the gateway runs it: the guidance analyzes each frame and advances the steps. */
import limits from '@presenza/contract/limits.json';
import type { DetectReply, Light } from '@presenza/inference/wire';
import type { Evidence, Movement, StepRecord } from '../../../src/services/liveness/capture/evidence';
import { type SelectedFrames, selectFrame } from '../../../src/services/liveness/capture/frame-selection';
import { type Guidance, guide } from '../../../src/services/liveness/capture/guidance';
import { lightOf, rgbOf } from '../../../src/services/liveness/capture/light';
import {
  advance,
  beginning,
  isDone,
  type Progress,
  wantsCenter,
} from '../../../src/services/liveness/capture/steps';
import { jpegOf } from './image';
import type { Subject } from './subject';

export interface AttemptOptions {
  /** The first is `centre`. */
  readonly movements: readonly Movement[];
  /** Finds the faces of an encoded frame, with their pose. */
  readonly detect: (jpeg: Buffer) => Promise<DetectReply['faces']>;
  /** Between two frames, in milliseconds. Default 200. */
  readonly intervalMs?: number;
  /**
   * A step that the guidance blocks for this long counts as complete, because attempts that the guidance blocks never
   * reach the verdict, which is measured here. Default 5000.
   */
  readonly patienceMs?: number;
  /** Colors that the page shows one after the other, as `#rrggbb`, for a light challenge. */
  readonly colors?: readonly string[];
}

export type Attempt = Omit<Evidence, 'signals'> & {
  /** The selected frames, encoded. */
  readonly images: readonly Buffer[];
  /** The color that each of them was taken under, if there was a light challenge. */
  readonly light?: Light | undefined;
  /** Steps that ended by the time limit. */
  readonly forced: number;
};

const { colorMs } = limits.liveness.light;

const jitterMs = [0, 24, 7, 31, 12];

export async function recordAttempt(subject: Subject, options: AttemptOptions): Promise<Attempt> {
  const { movements, detect, intervalMs = 200, patienceMs = 5000, colors = [] } = options;
  const images = new Map<number, Buffer>();
  const arrivalsMs: number[] = [];
  const faceless: number[] = [];
  const shownMs: Record<number, number> = {};
  let colorsShown = 0;
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
    for (; colorsShown < colors.length && colorsShown * colorMs <= ms; colorsShown++) {
      subject.shine?.(rgbOf(colors[colorsShown] as string), colorsShown * colorMs);
    }
    shownMs[number] = ms;
    const image = await jpegOf(await subject.frameAt(ms));
    // Jitter of the network.
    arrivalsMs.push(ms + (jitterMs[number % jitterMs.length] as number));
    images.set(number, image);
    const next = selectFrame(selected, step, number, movements.length);
    selected = next.selected;
    if (next.dropped !== undefined) images.delete(next.dropped);
    const frontal = wantsCenter(progress, movement);
    const sight = guide(await detect(image), { before, frontal, neutral: progress.neutral });
    before = sight.guidance;
    if (step > 0 && before === 'noFace') faceless.push(number);
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
  const light = lightOf(
    colors.length > 0 ? { colors, shownMs } : undefined,
    numbers.map((number) => ({ number, timeMs: arrivalsMs[number] as number })),
  );
  return {
    images: numbers.map((number) => images.get(number) as Buffer),
    steps,
    frames: {
      arrivalsMs,
      kept: numbers,
      stepOf: selected.flatMap((frames, step) => frames.map(() => step)),
      faceless,
      refused: { repeated: 0, stale: 0, foreign: 0, signature: 0 },
    },
    ...(light && { light }),
    camera: { label: 'Integrated Camera', frameRate: 1000 / intervalMs },
    transport: { isSigned: true, clientFaults: [] },
    forced,
  };
}
