/** The faces in photographs of the installed packages, and the fitted mesh of each. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export interface Fit {
  /** x, y and depth of the 468 points, in pixels of the photograph. */
  readonly points: readonly (readonly [x: number, y: number, z: number])[];
  readonly pose: { readonly yaw: number; readonly pitch: number; readonly roll: number };
}

export interface FittedPhoto {
  readonly photo: string;
  /** Size of the image that the fit refers to. */
  readonly width: number;
  readonly height: number;
  /** Largest first. */
  readonly faces: readonly Fit[];
}

const demo = join(__dirname, '../../../../node_modules/@vladmandic/face-api/demo');
export const samplePhotos = [1, 2, 3, 4, 5, 6].map((number) => join(demo, `sample${number}.jpg`));

/** Runs the models in a separate process. Requires a built inference tier. */
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
