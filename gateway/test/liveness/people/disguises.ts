/** How attackers hide that their images are rendered. */
import { blurred, copyOf, cropped, jpegOf, type Rgb, readRgb, resized, rotated } from './image';
import { randomFrom } from './random';
import type { Placement, Solid } from './solid';
import { noiseSeed } from './subject';

/** Changes a frame after it is rendered. */
export type Develop = (frame: Rgb, ms: number) => Promise<Rgb>;

/** Noise like that of a sensor: more in bright pixels, and a fixed pattern in every frame. */
export function sensorNoise(seed: number): Develop {
  return async (frame, ms) => {
    const noisy = copyOf(frame);
    const fixed = randomFrom(seed);
    const moment = randomFrom(noiseSeed(seed, ms));
    // Sums of uniform numbers are quick, and normal enough.
    const normal = (random: typeof fixed) => 1.7 * (random.next() + random.next() + random.next() - 1.5);
    for (let i = 0; i < noisy.data.length; i++) {
      const level = noisy.data[i] as number;
      const value = level * (1 + 0.01 * normal(fixed)) + Math.sqrt(1 + level / 40) * normal(moment);
      noisy.data[i] = Math.min(255, Math.max(0, value + 0.5));
    }
    return noisy;
  };
}

/** Frames that were compressed before. @param qualities of JPEG, one after the other */
export const compressed =
  (...qualities: readonly number[]): Develop =>
  async (frame) => {
    let now = frame;
    for (const quality of qualities) now = await readRgb(await jpegOf(now, quality));
    return now;
  };

export const softened =
  (sigma: number): Develop =>
  (frame) =>
    blurred(frame, sigma);

/** A hand that holds the camera: the whole frame moves by a few pixels. */
export const shaken =
  (seed: number): Develop =>
  async (frame, ms) => {
    const margin = 8;
    const sway = (hz: number, phase: number) => 3 * Math.sin(2 * Math.PI * hz * (ms / 1000) + seed + phase);
    const tremor = randomFrom(noiseSeed(seed, ms));
    const shift = (hz: number, phase: number) =>
      Math.round(margin + Math.max(-margin, Math.min(margin, sway(hz, phase) + tremor.between(-1.5, 1.5))));
    const area = { width: frame.width - 2 * margin, height: frame.height - 2 * margin };
    const cut = cropped(frame, { left: shift(0.9, 0), top: shift(1.3, 2), ...area });
    return resized(cut, frame.width, frame.height);
  };

/** A camera that is held at an angle: 3 to 6 degrees to one side, which change slowly. */
export const tilted =
  (seed: number): Develop =>
  (frame, ms) => {
    const { between, pick } = randomFrom(seed);
    const sway = Math.sin((2 * Math.PI * ms) / 4000 + seed);
    return rotated(frame, pick([-1, 1]) * (between(4, 5) + sway));
  };

/** A photo whose face has only this many pixels of width. */
export const smallPhoto =
  (faceWidth: number): ((photo: Rgb) => Promise<Rgb>) =>
  async (photo) => {
    // The face of a texture is 1 / 2.2 of it.
    const width = Math.round(2.2 * faceWidth);
    const small = await resized(photo, width, Math.round((width * photo.height) / photo.width));
    return resized(small, photo.width, photo.height);
  };

/** Shades a head as a lamp beside the camera would: the side that turns away from it gets darker. */
export const relit =
  (depth: number): ((head: Solid, ms: number, at: Placement) => Solid) =>
  (head, _ms, { yaw, pitch }) => {
    const tone =
      1 - depth * Math.sin((Math.abs(yaw) * Math.PI) / 180) + 0.3 * depth * Math.sin((pitch * Math.PI) / 180);
    const [red, green, blue] = head.gain ?? [1, 1, 1];
    return { ...head, gain: [red * tone, green * tone, blue * tone] };
  };
