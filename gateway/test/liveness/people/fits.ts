/** The people: faces of photographs that the installed packages ship, and the mesh that fits each. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export interface Fit {
  /** x, y and depth of the 468 points, in pixels of the photograph. */
  readonly points: readonly (readonly [x: number, y: number, z: number])[];
  readonly pose: { readonly yaw: number; readonly pitch: number; readonly roll: number };
}

export interface FittedPhoto {
  readonly photo: string;
  /** Size to which the fit refers. */
  readonly width: number;
  readonly height: number;
  /** Largest first. */
  readonly faces: readonly Fit[];
}

const demo = join(__dirname, '../../../../node_modules/@vladmandic/face-api/demo');
export const samplePhotos = [1, 2, 3, 4, 5, 6].map((number) => join(demo, `sample${number}.jpg`));

/** Runs the models in a process of their own; the inference tier must be built. */
export function fitPhotos(photos: readonly string[]): FittedPhoto[] {
  const output = execFileSync(process.execPath, [join(__dirname, 'fit.mjs'), ...photos], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as FittedPhoto);
}
