/** An attack that sends the frames of an earlier capture again, as a script that has kept them can. */
import type { StepRecord } from '../../../src/services/liveness/capture/evidence';
import type { Develop } from './disguises';
import { copyOf, cropped, readRgb, resized } from './image';
import { randomFrom } from './random';
import type { Subject } from './subject';

/** The part of an attempt that is sent again. */
export interface Captured {
  /** The kept frames, encoded. */
  readonly images: readonly Buffer[];
  readonly steps: readonly Pick<StepRecord, 'movement'>[];
  readonly frames: { readonly stepOf: readonly number[] };
}

/** Plays the frames of the step with the requested movement, one after the other, and then the last one. */
export function replayed({ images, steps, frames: { stepOf } }: Captured, develop: Develop): Subject {
  let step = -1;
  let fromMs = 0;
  return {
    instruct(movement, atMs) {
      const next = steps.findIndex((each, i) => i > step && each.movement === movement);
      step = next >= 0 ? next : steps.findIndex((each) => each.movement === movement);
      fromMs = atMs;
    },
    async frameAt(ms) {
      const clip = images.filter((_, i) => stepOf[i] === step);
      const at = Math.min(clip.length - 1, Math.max(0, Math.round((ms - fromMs) / 200) - 1));
      return develop(await readRgb(clip[at] as Buffer), ms);
    },
  };
}

/** Moves each frame by up to 11 pixels in each direction, and repeats its border. */
export const shifted =
  (seed: number): Develop =>
  async (frame, ms) => {
    const random = randomFrom(seed + Math.round(ms));
    const [dx, dy] = [Math.round(random.between(-11, 11)), Math.round(random.between(-11, 11))];
    const { width, height, data } = frame;
    const moved = copyOf(frame);
    const inside = (at: number, size: number) => Math.max(0, Math.min(size - 1, at));
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const from = 3 * (inside(y - dy, height) * width + inside(x - dx, width));
        moved.data.set(data.subarray(from, from + 3), 3 * (y * width + x));
      }
    }
    return moved;
  };

/** Enlarges the middle of each frame by up to a tenth. */
export const zoomed = (seed: number): Develop => {
  const zoom = randomFrom(seed).between(1.02, 1.1);
  return (frame) => {
    const [width, height] = [Math.round(frame.width / zoom), Math.round(frame.height / zoom)];
    const [left, top] = [(frame.width - width) >> 1, (frame.height - height) >> 1];
    return resized(cropped(frame, { left, top, width, height }), frame.width, frame.height);
  };
};

/** Another gain and offset of all levels. */
export const relighted = (seed: number): Develop => {
  const random = randomFrom(seed);
  const [gain, offset] = [random.between(0.75, 1.25), random.between(-10, 10)];
  return async (frame) => {
    const other = copyOf(frame);
    for (let i = 0; i < other.data.length; i++) {
      other.data[i] = Math.max(0, Math.min(255, (other.data[i] as number) * gain + offset));
    }
    return other;
  };
};

/** One change after the other. */
export const inTurn =
  (...changes: readonly Develop[]): Develop =>
  async (frame, ms) => {
    let now = frame;
    for (const change of changes) now = await change(now, ms);
    return now;
  };
