import type { Pose, Quality } from '../../wire/faces';

/** A face within this angle of the camera, in degrees, is frontal. */
const frontal = 15;

const turnOf = ({ yaw, pitch }: Pose) => Math.hypot(yaw, pitch);

/**
 * Chooses the face whose frame is stored and compared: the sharpest of the frontal faces or, if none is frontal, the one that
 * is turned least.
 * @returns its position in `faces`; undefined without faces.
 */
export function bestOf(faces: readonly { pose: Pose; quality: Quality }[]): number | undefined {
  const rated = faces.map(({ pose, quality }, index) => ({
    index,
    turn: Math.max(frontal, turnOf(pose)),
    sharpness: quality.sharpness,
  }));
  return rated.sort((a, b) => a.turn - b.turn || b.sharpness - a.sharpness)[0]?.index;
}
