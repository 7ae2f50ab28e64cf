/** One attempt as the gateway sees it: frames come, the guidance looks at each, and steps follow one another. */
import type { DetectReply } from '@presenza/inference/wire';
import type { Evidence, Movement, StepRecord } from '../../../src/services/liveness/capture/evidence';
import { type Guidance, guide } from '../../../src/services/liveness/capture/guidance';
import { type KeptFrames, keep } from '../../../src/services/liveness/capture/kept-frames';
import {
  advance,
  beginning,
  isDone,
  type Progress,
  wantsCentre,
} from '../../../src/services/liveness/capture/steps';
import { jpegOf } from './picture';
import type { Subject } from './subject';

export interface AttemptOptions {
  /** The first is `centre`. */
  readonly movements: readonly Movement[];
  /** Finds the faces of an encoded frame, with their pose. */
  readonly look: (jpeg: Buffer) => Promise<DetectReply['faces']>;
  /** Between two frames, in milliseconds. Default 200. */
  readonly intervalMs?: number;
  /**
   * A step that the guidance does not let pass for so long is taken as done: what it stops never reaches a verdict, and
   * the verdict is to be measured by itself. Default 5000.
   */
  readonly patienceMs?: number;
}

export type Attempt = Omit<Evidence, 'signals'> & {
  /** The kept ones, encoded. */
  readonly images: readonly Buffer[];
  /** Steps that only patience ended. */
  readonly forced: number;
};

const jitterMs = [0, 24, 7, 31, 12];

export async function recordAttempt(subject: Subject, options: AttemptOptions): Promise<Attempt> {
  const { movements, look, intervalMs = 200, patienceMs = 5000 } = options;
  const images = new Map<number, Buffer>();
  const arrivalsMs: number[] = [];
  const sizes: { width: number; height: number }[] = [];
  const steps: StepRecord[] = [];
  let kept: KeptFrames = [];
  let progress: Progress = beginning;
  let before: Guidance = 'ok';
  let fromMs = 0;
  let forced = 0;
  subject.instruct('centre', 0);
  for (let number = 0; !isDone(progress, movements) && number < 400; number++) {
    const { step } = progress;
    const movement = movements[step] as Movement;
    const ms = intervalMs * (number + 1);
    const frame = await subject.frameAt(ms);
    const image = await jpegOf(frame);
    // A network takes some milliseconds more or less.
    arrivalsMs.push(ms + (jitterMs[number % jitterMs.length] as number));
    sizes.push({ width: frame.width, height: frame.height });
    images.set(number, image);
    const next = keep(kept, step, number);
    kept = next.kept;
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
    const asked = movements[progress.step];
    if (asked) subject.instruct(asked, ms);
  }
  const numbers = kept.flat();
  return {
    images: numbers.map((number) => images.get(number) as Buffer),
    steps,
    frames: {
      arrivalsMs,
      kept: numbers,
      stepOf: kept.flatMap((of, step) => of.map(() => step)),
      sizes: numbers.map((number) => sizes[number] as { width: number; height: number }),
      refused: { repeated: 0, stale: 0, foreign: 0 },
    },
    camera: { label: 'Integrated Camera', frameRate: 1000 / intervalMs },
    forced,
  };
}
