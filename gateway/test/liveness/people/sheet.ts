/** Prints and screens that show a face, flat or bent. */
import { type Rgb, resized } from './image';
import type { Solid } from './solid';

export interface SheetShape {
  /** Width in millimeters. */
  readonly width: number;
  /** Radius of the upright cylinder that the sheet is bent around, with its outside to the camera; flat by default. */
  readonly radius?: number;
}

/** Squares across and down, small enough to paint without perspective inside. */
const cells = { across: 24, down: 28 };

/** A sheet with an image that turns about its center. */
export function sheetOf(texture: Rgb, { width, radius }: SheetShape): Solid {
  const height = (width * texture.height) / texture.width;
  const [columns, rows] = [cells.across + 1, cells.down + 1];
  const points: number[] = [];
  const uv: number[] = [];
  for (let i = 0; i < columns * rows; i++) {
    const [s, t] = [(i % columns) / cells.across, Math.floor(i / columns) / cells.down];
    const along = (s - 0.5) * width;
    const [x, z] = radius
      ? [radius * Math.sin(along / radius), radius * (1 - Math.cos(along / radius))]
      : [along, 0];
    points.push(x, (t - 0.5) * height, z);
    uv.push(s * (texture.width - 1), t * (texture.height - 1));
  }
  const triangles: number[] = [];
  for (let row = 0; row < cells.down; row++) {
    for (let column = 0; column < cells.across; column++) {
      const at = row * columns + column;
      triangles.push(at, at + 1, at + columns, at + 1, at + columns + 1, at + columns);
    }
  }
  return {
    points: Float64Array.from(points),
    uv: Float64Array.from(uv),
    alpha: new Float64Array(columns * rows).fill(1),
    triangles: Int32Array.from(triangles),
    texture,
  };
}

/** Darkness of the gaps between a display's pixels. */
const gap = 0.6;

/** An image on a display close up: a grid of pixels with darker gaps, which causes moire with the camera's grid. */
export async function onDisplay({ width, height, data }: Rgb): Promise<Rgb> {
  const shown = await resized({ data, width, height }, 2 * width, 2 * height);
  for (let y = 0; y < shown.height; y++) {
    for (let x = 0; x < shown.width; x++) {
      if (x % 2 === 0 && y % 2 === 0) continue;
      const at = 3 * (y * shown.width + x);
      for (let channel = 0; channel < 3; channel++) {
        shown.data[at + channel] = (shown.data[at + channel] as number) * gap;
      }
    }
  }
  return shown;
}
