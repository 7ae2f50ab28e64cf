import type { ScoredBox } from '../image/boxes';
import type { Points } from '../image/geometry';

/** A detector's candidate for a face, in pixels of the detector's view. */
export interface Candidate extends ScoredBox {
  /** Roll of the face in radians, positive clockwise as displayed; 0 where the detector does not measure it. */
  readonly angle: number;
  /** Eyes from the viewer's left, nose, middle of the mouth; absent where the detector has no points. */
  readonly points?: Points;
}

/** The points of a candidate from those of eyes, nose and both corners of the mouth. */
export function pointsOfFive(five: Points): Points {
  const points = five.slice(0, 8);
  points[6] = ((five[6] as number) + (five[8] as number)) / 2;
  points[7] = ((five[7] as number) + (five[9] as number)) / 2;
  return points;
}

/** Angle of the line through the eyes, in radians, positive clockwise as displayed. */
export const rollOfEyes = (points: Points) =>
  Math.atan2((points[3] as number) - (points[1] as number), (points[2] as number) - (points[0] as number));

type FourPoints = [number, number, number, number, number, number, number, number];

/** Whether points lie as in a face: the nose between eyes and mouth, and the eyes not too far apart. */
export function areFaceShaped(points: Points): boolean {
  const [leftX, leftY, rightX, rightY, noseX, noseY, mouthX, mouthY] = points as unknown as FourPoints;
  const [eyesX, eyesY] = [(leftX + rightX) / 2, (leftY + rightY) / 2];
  // The line from the eyes to the mouth is the unit. Limits: 99 % of 2,510 faces of LFW.
  const [downX, downY] = [mouthX - eyesX, mouthY - eyesY];
  const squared = downX ** 2 + downY ** 2;
  const along = ((noseX - eyesX) * downX + (noseY - eyesY) * downY) / squared;
  const aside = ((noseX - eyesX) * downY - (noseY - eyesY) * downX) / squared;
  const apart = Math.hypot(rightX - leftX, rightY - leftY) / Math.sqrt(squared);
  return along > 0.2 && along < 0.85 && Math.abs(aside) < 0.5 && apart < 1.3;
}
