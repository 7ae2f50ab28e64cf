/** Square, upright crops around the mesh, the input of the models of faces. */
import type { Model, ModelOutputs } from '../../backends/backend';
import { batchOf } from '../image/decoded-image';
import { type Affine, boundsOf, cropMap } from '../image/geometry';
import type { FaceInImage } from './embed';
import { type Mesh, rollOfMesh } from './mesh';

/**
 * The map from a crop of `size` pixels to the image.
 * @param factor side of the crop as a multiple of the longer side of the box around the mesh.
 */
export function faceMap({ points }: Pick<Mesh, 'points'>, factor: number, size: number): Affine {
  const { left, top, right, bottom } = boundsOf(points);
  const side = factor * Math.max(right - left, bottom - top);
  return cropMap({ x: (left + right) / 2, y: (top + bottom) / 2, side, angle: rollOfMesh(points) }, size);
}

/** Runs a model on crops of faces, all in one run. */
export function runOnFaces(
  model: Model,
  faces: readonly FaceInImage[],
  factor: number,
): Promise<ModelOutputs> {
  const size = model.spec.input.width;
  const pixels = batchOf(faces, size, ({ image, face }, into) => {
    image.sample(faceMap(face.mesh, factor, size), size, into);
  });
  return model.run(pixels, faces.length);
}
