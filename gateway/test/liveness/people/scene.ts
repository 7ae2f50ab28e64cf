/** A room in front of a camera, the people in it, and the camera's image of them. */

import { blurred, copyOf, drawn, drawnOver, type Rgb } from './image';
import type { Person } from './people';
import { randomFrom } from './random';
import { focalOf, type Placement, paint, type Solid } from './solid';

export interface Camera {
  readonly width: number;
  readonly height: number;
  /** Factor for all levels. Default 1. */
  readonly light?: number;
  /** Light from one side: how much brighter the right edge is than the left one, as a share. Default 0. */
  readonly slant?: number;
  /** Standard deviation of the sensor's noise in levels. Default 2. */
  readonly noise?: number;
  /** Blur of the lens in pixels. Default 0, sharp. */
  readonly blur?: number;
}

export const vga: Camera = { width: 640, height: 480 };

/** Default position of a head: an arm's length from a laptop, the eyes slightly above the center. */
export const straightOn: Placement = { yaw: 0, pitch: 0, roll: 0, x: 0, y: 25, distance: 560 };

/** Random furniture. */
export function room({ width, height }: Camera, seed: number): Promise<Rgb> {
  const random = randomFrom(seed);
  const hue = Math.floor(random.between(0, 360));
  const box = (x: number, y: number, w: number, h: number, color: string) =>
    `<rect x="${x * width}" y="${y * height}" width="${w * width}" height="${h * height}" fill="${color}"/>`;
  const window = random.between(0.02, 0.2);
  const shelf = random.between(0.68, 0.76);
  const books = Array.from({ length: 7 }, (_, i) =>
    box(
      shelf + 0.032 * i,
      0.3 - random.between(0.08, 0.16),
      0.026,
      0.16,
      `hsl(${random.between(0, 360)},35%,45%)`,
    ),
  );
  return drawn(
    width,
    height,
    `<defs><linearGradient id="wall" x2="1" y2="1"><stop stop-color="hsl(${hue},14%,72%)"/><stop offset="1" stop-color="hsl(${hue},18%,48%)"/></linearGradient></defs>
    ${box(0, 0, 1, 1, 'url(#wall)')}${box(window, 0.08, 0.2, 0.4, '#dfe9ee')}${box(window + 0.095, 0.08, 0.01, 0.4, '#8a7a66')}
    ${books.join('')}${box(shelf - 0.02, 0.3, 0.27, 0.02, '#6b5339')}${box(0, 0.86, 1, 0.14, `hsl(${hue},10%,36%)`)}`,
  );
}

/** Neck and shoulders below a head, drawn over a room. */
export async function withShoulders(backdrop: Rgb, { skin, name }: Person, at: Placement): Promise<Rgb> {
  const { width, height } = backdrop;
  const focal = focalOf(width);
  const scale = focal / at.distance;
  const x = width / 2 + at.x * scale;
  const chin = height / 2 + (at.y + 45) * scale;
  const random = randomFrom(name.length * 31 + name.charCodeAt(name.length - 1));
  const dark = skin.map((level) => Math.round(level * 0.8));
  const color = `hsl(${random.between(0, 360)},30%,${random.between(20, 50)}%)`;
  const [neck, half] = [52 * scale, 210 * scale];
  return drawnOver(
    backdrop,
    `<path d="M${x - neck} ${chin - 60 * scale}V${chin + 60 * scale}H${x + neck}V${chin - 60 * scale}Z" fill="rgb(${dark})"/>
    <path d="M${x - half} ${height + 9}C${x - half} ${chin + 60 * scale} ${x - neck} ${chin + 70 * scale} ${x - neck} ${chin + 40 * scale}
      Q${x} ${chin + 90 * scale} ${x + neck} ${chin + 40 * scale}C${x + neck} ${chin + 70 * scale} ${x + half} ${chin + 60 * scale} ${x + half} ${height + 9}Z" fill="${color}"/>`,
  );
}

/** The objects in front of the camera, from back to front. */
export type Things = readonly { readonly solid: Solid; readonly at: Placement }[];

/** Renders one frame. @param noiseSeed a new number for each frame, because a sensor never repeats an image. */
export async function shoot(camera: Camera, backdrop: Rgb, things: Things, noiseSeed: number): Promise<Rgb> {
  let frame = copyOf(backdrop);
  for (const { solid, at } of things) paint(frame, solid, at);
  if (camera.blur) frame = await blurred(frame, camera.blur);
  expose(frame, camera, noiseSeed);
  return frame;
}

const noiseTable = (() => {
  const { gaussian } = randomFrom(7);
  return Float32Array.from({ length: 1 << 16 }, gaussian);
})();

function expose({ data, width }: Rgb, { light = 1, slant = 0, noise = 2 }: Camera, seed: number): void {
  const { next } = randomFrom(seed);
  const gains = Float32Array.from({ length: width }, (_, x) => light * (1 + slant * (x / width - 0.5)));
  for (let i = 0; i < data.length; ) {
    // Each row begins at another position in the table.
    let at = Math.floor(next() * noiseTable.length);
    for (let x = 0; x < width; x++) {
      const gain = gains[x] as number;
      for (let channel = 0; channel < 3; channel++, i++) {
        at = (at + 1) & 0xffff;
        const level = (data[i] as number) * gain + noise * (noiseTable[at] as number) + 0.5;
        data[i] = level < 0 ? 0 : level > 255 ? 255 : level;
      }
    }
  }
}
