/**
 * Why comparisons of a face are unreliable. The limits warn of most degraded images of LFW that match strangers, or miss
 * their own person, at least about twice as often as the images themselves, and of few of these (`accuracy/degradation`).
 */
import type { Probe } from '../catalogue/knowledge';
import type { ComparableFace, FaceWarning } from '../wire/faces';
import { occlusionOf } from './attributes/occlusion';
import { poseOf } from './attributes/pose';
import { blockinessOf } from './faces/compression';
import type { Face } from './faces/find-faces';
import { clippedIn, type FaceLuma, finenessOf } from './faces/quality';
import { area, insideOf } from './image/boxes';
import type { DecodedImage } from './image/decoded-image';

/** Two blurred faces are alike in what both lack, so strangers match. */
const minFineness = 0.356;
/** Pixels. */
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
 * Probability that the face is covered. Of 774 portraits of LFW 0.3 % exceed it, and 37 % of 76 whose eyes are covered; at
 * 0.5, 0.8 and 79 % do.
 */
const minOcclusion = 0.9;
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

export interface WarningKnowledge {
  /** Reads the mesh model's features. */
  readonly occlusionProbe: Probe;
  /** Faces with a shorter embedding are unclear. Default: the model has no limit. */
  readonly minNorm?: number;
}

export function warningsOf(
  { image, face, luma, quality, norm }: SeenFace,
  { occlusionProbe, minNorm = 0 }: WarningKnowledge,
): FaceWarning[] {
  const { yaw, pitch, roll } = poseOf(face.mesh);
  const occlusion = occlusionOf(face.mesh, occlusionProbe);
  const found: Readonly<Record<FaceWarning, boolean>> = {
    blur: finenessOf(luma) < minFineness,
    small: face.box.width < minWidth,
    pose: Math.abs(yaw) > maxYaw || Math.abs(pitch) > maxPitch,
    dark: quality.brightness < minBrightness,
    bright: clippedIn(luma) > maxClipped,
    compression: blockinessOf(image, face.box) > maxBlockiness,
    occluded: occlusion.value && occlusion.confidence > minOcclusion,
    border: 1 - area(insideOf(face.box, image)) / area(face.box) > maxOutside,
    turned: Math.abs(roll) > maxRoll,
    unclear: !face.isConfirmed || norm < minNorm,
  };
  return (Object.keys(found) as FaceWarning[]).filter((warning) => found[warning]);
}
