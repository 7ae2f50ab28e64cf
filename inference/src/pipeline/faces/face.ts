/** A face of an image, and the models that find it. */
import type { Model } from '../../backends/backend';
import type { Box } from '../../wire/faces';
import { boundsOf } from '../image/geometry';
import type { Mesh } from './mesh';

export interface FaceModels {
  readonly near: Model;
  readonly thorough: Model;
  readonly mesh: Model;
}

export interface Face {
  /** Mean of the detector's probability and the mesh model's, 0 to 1. */
  readonly confidence: number;
  /** Box around the mesh in image pixels, which may extend past the image. */
  readonly box: Box;
  /**
   * Visible area in square pixels of the face as the detector sees it. The mesh of a covered or blurred face may be far too large,
   * so this area decides which face is the largest.
   */
  readonly detectedArea: number;
  readonly mesh: Mesh;
  /**
   * Whether the mesh model sees a face, too. Otherwise the detector's points place the mesh, and anything derived from its
   * shape is less reliable.
   */
  readonly isConfirmed: boolean;
}

/** Limit of the public API. */
export const maxFaces = 100;
/** The least score of a confirmed face. Every labeled face of 2,320 portraits scored above 0.93. */
export const minPresence = 0.85;

export function boxOf({ points }: Pick<Mesh, 'points'>): Box {
  const { left, top, right, bottom } = boundsOf(points);
  return { left, top, width: right - left, height: bottom - top };
}
