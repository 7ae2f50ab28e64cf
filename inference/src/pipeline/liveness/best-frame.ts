import type { Pose, Quality } from '../../wire/faces';

/** A face within this angle of the camera, in degrees, is frontal. */
const frontal = 15;

const turnOf = ({ yaw, pitch }: Pose) => Math.hypot(yaw, pitch);

export const isFrontal = (pose: Pose) => turnOf(pose) <= frontal;

/**
 * Position of the frame to store and compare: the sharpest of the frontal faces, or the one turned least where none is
 * frontal. Undefined without faces.
 */
export function bestOf(faces: readonly { pose: Pose; quality: Quality }[]): number | undefined {
  const rated = faces.map(({ pose, quality }, index) => ({
    index,
    turn: Math.max(frontal, turnOf(pose)),
    sharpness: quality.sharpness,
  }));
  return rated.sort((a, b) => a.turn - b.turn || b.sharpness - a.sharpness)[0]?.index;
}
