/**
 * Scores of models that look at one image of a face and say whether it is a live one or an image of one. Both are
 * weak: on three samples of genuine, print and screen neither told them apart. They may add to a verdict and must
 * never make one.
 */

import type { Model } from '../../backends/backend';
import type { PassiveScores } from '../../wire/frames';
import type { FaceInImage } from '../faces/embed';
import { cropMap } from '../image/geometry';

export interface PassiveModels {
  readonly antispoof: Model;
  readonly passiveLiveness: Model;
}

/**
 * What the models expect around a face: an upright square of 1.4 times the near detector's box. That box is 0.94
 * times the mesh's in the median, and lower by 0.036 of its height (112 faces).
 */
const crop = { factor: 1.31, down: 0.036 };

export async function scorePassively(
  { antispoof, passiveLiveness }: PassiveModels,
  faces: readonly FaceInImage[],
): Promise<PassiveScores[]> {
  if (faces.length === 0) return [];
  const real = (await antispoof.run(cropsFor(antispoof, faces), faces.length)).real as Float32Array;
  // Two classes, live first.
  const live = (await passiveLiveness.run(cropsFor(passiveLiveness, faces), faces.length))
    .probabilities as Float32Array;
  return faces.map((_, i) => ({ antispoof: real[i] as number, liveness: live[2 * i] as number }));
}

function cropsFor({ spec }: Model, faces: readonly FaceInImage[]): Uint8Array {
  const size = spec.input.width;
  const bytes = 3 * size * size;
  const pixels = new Uint8Array(faces.length * bytes);
  faces.forEach(({ image, face: { box } }, i) => {
    const map = cropMap(
      {
        x: box.left + box.width / 2,
        y: box.top + (0.5 + crop.down) * box.height,
        side: crop.factor * Math.max(box.width, box.height),
        angle: 0,
      },
      size,
    );
    image.sample(map, size, pixels.subarray(i * bytes, (i + 1) * bytes));
  });
  return pixels;
}
