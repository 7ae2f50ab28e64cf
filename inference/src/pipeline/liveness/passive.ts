/**
 * Scores of models that classify one image of a face as genuine or a presentation attack. Both are weak: on three samples
 * of genuine, print and screen neither separated them. They may support a verdict and must never decide one.
 */
import type { Model } from '../../backends/backend';
import type { PassiveScores } from '../../wire/frames';
import type { FaceInImage } from '../faces/embed';
import { batchOf } from '../image/decoded-image';
import { cropMap } from '../image/geometry';

export interface PassiveModels {
  readonly antispoof: Model;
  readonly passiveLiveness: Model;
}

/**
 * The models expect an upright square that is larger than the face. `factor` is its side in units of the longer side of the
 * mesh's box, and `down` is how far its center lies below that of the box, in units of the box's height.
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
  return batchOf(faces, size, ({ image, face: { box } }, into) => {
    const x = box.left + box.width / 2;
    const y = box.top + (0.5 + crop.down) * box.height;
    const side = crop.factor * Math.max(box.width, box.height);
    image.sample(cropMap({ x, y, side, angle: 0 }, size), size, into);
  });
}
