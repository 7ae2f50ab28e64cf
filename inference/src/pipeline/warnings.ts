/**
 * Why comparisons of a face are unreliable. The limits were chosen on images of LFW and degraded copies of them. Where a
 * degradation at least about doubles the false matches or the false non-matches, most of its copies get a warning; few of
 * the original images do (`accuracy/degradation`).
 */
import type { Probe } from '../catalogue/manifest-parts';
import type { ComparableFace, FaceWarning } from '../wire/faces';
import { occlusionOf } from './attributes/occlusion';
import { poseOf } from './attributes/pose';
import { blockinessOf } from './faces/compression';
import type { Face } from './faces/face';
import { clippedIn, type FaceLuma, finenessOf } from './faces/quality';
import { area, insideOf } from './image/boxes';
import type { DecodedImage } from './image/decoded-image';

/** Two blurred faces are alike in what both lack, so strangers match. */
const minFineness = 0.356;
/** Width of the face in pixels of the decoded image, which is shrunk if it is large. */
const minWidth = 40;
/** Degrees. Few portraits of LFW are turned further, so these limits rest on the least evidence. */
const maxYaw = 45;
const maxPitch = 24;
/** Mean luma, 0 to 1. Dark skin in good light has about 0.2, so only poor light is below. */
const minBrightness = 0.12;
/** Proportion of the face; it exceeds 0.06 in 2 of 2,320 images of LFW. */
const maxClipped = 0.1;
/** JPEG quality 30 stays below on faces 100 pixels wide, and 10 lies above. */
const maxBlockiness = 1.1;
/**
 * Probability that the face is covered. At 0.9, 0.3 % of 774 portraits of LFW exceed it, and 37 % of 76 portraits whose eyes
 * are covered. At 0.5, 0.8 % and 79 % would.
 */
const maxOcclusion = 0.9;
/** Proportion of the face past the edges of the image. */
const maxOutside = 0.1;
/** Degrees. An image that lies on its side is turned further, a tilted head is not. */
const maxRoll = 60;

export interface SeenFace {
  readonly image: DecodedImage;
  readonly face: Face;
  readonly luma: FaceLuma;
  readonly quality: ComparableFace['quality'];
  /** The length of its embedding before that becomes a unit vector. */
  readonly norm: number;
}

export interface WarningData {
  /** Reads the mesh model's features. */
  readonly occlusionProbe: Probe;
  /** Faces with a shorter embedding are unclear. Default: the model has no limit. */
  readonly minNorm?: number;
}

export function warningsOf(
  { image, face, luma, quality, norm }: SeenFace,
  { occlusionProbe, minNorm = 0 }: WarningData,
): FaceWarning[] {
  const { yaw, pitch, roll } = poseOf(face.mesh);
  const occlusion = occlusionOf(face.mesh, occlusionProbe);
  const applies: Readonly<Record<FaceWarning, boolean>> = {
    blur: finenessOf(luma) < minFineness,
    small: face.box.width < minWidth,
    pose: Math.abs(yaw) > maxYaw || Math.abs(pitch) > maxPitch,
    dark: quality.brightness < minBrightness,
    bright: clippedIn(luma) > maxClipped,
    compression: blockinessOf(image, face.box) > maxBlockiness,
    occluded: occlusion.value && occlusion.confidence > maxOcclusion,
    border: 1 - area(insideOf(face.box, image)) / area(face.box) > maxOutside,
    turned: Math.abs(roll) > maxRoll,
    unclear: !face.isConfirmed || norm < minNorm,
  };
  return (Object.keys(applies) as FaceWarning[]).filter((warning) => applies[warning]);
}
