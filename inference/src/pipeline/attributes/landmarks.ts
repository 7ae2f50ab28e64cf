/** The named points of a face, each a point of the mesh or the mean of several. */
import type { Landmark, LandmarkType } from '../../wire/faces';
import type { Mesh } from '../faces/mesh';
import type { DecodedImage } from '../image/decoded-image';

/** Indices of mesh points. Left and right are the person's own. */
const meshPoints = {
  leftEyeCenter: [263, 362, 386, 374],
  leftEyeInner: [362],
  leftEyeOuter: [263],
  leftEyeTop: [386],
  leftEyeBottom: [374],
  rightEyeCenter: [33, 133, 159, 145],
  rightEyeInner: [133],
  rightEyeOuter: [33],
  rightEyeTop: [159],
  rightEyeBottom: [145],
  leftEyebrowInner: [285],
  leftEyebrowTop: [334],
  leftEyebrowOuter: [276],
  rightEyebrowInner: [55],
  rightEyebrowTop: [105],
  rightEyebrowOuter: [46],
  noseBridge: [6],
  noseTip: [4],
  noseBottom: [2],
  leftNostril: [327],
  rightNostril: [98],
  leftMouthCorner: [291],
  rightMouthCorner: [61],
  upperLipTop: [0],
  upperLipBottom: [13],
  lowerLipTop: [14],
  lowerLipBottom: [17],
  mouthCenter: [13, 14],
  leftCheek: [280],
  rightCheek: [50],
  leftJaw: [397],
  rightJaw: [172],
  leftTemple: [389],
  rightTemple: [162],
  forehead: [151],
  chin: [152],
} as const satisfies Readonly<Record<string, readonly number[]>>;

const entries = Object.entries(meshPoints) as [LandmarkType, readonly number[]][];

/** All 36 landmarks of a face, in the order of the contract. */
export function landmarksOf(
  { points }: Pick<Mesh, 'points'>,
  { width, height }: Pick<DecodedImage, 'width' | 'height'>,
): Landmark[] {
  return entries.map(([type, indices]) => {
    const mean = (axis: 0 | 1) =>
      indices.reduce((sum, index) => sum + (points[2 * index + axis] as number), 0) / indices.length;
    // Pixel centers are whole numbers, so the image starts half a pixel before the first.
    return { type, x: (mean(0) + 0.5) / width, y: (mean(1) + 0.5) / height };
  });
}
