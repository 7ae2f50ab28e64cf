/** Computes where the parts of a detected face are drawn. */
import type { Box } from '../../components/drawings/parts';

/** A face with the fields of the public API that are drawn. */
export interface DrawnFace {
  readonly boundingBox: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  readonly attributes?:
    | {
        readonly landmarks?: readonly { readonly type: string; readonly x: number; readonly y: number }[];
        readonly pose?: { readonly yaw: number; readonly pitch: number; readonly roll: number };
      }
    | undefined;
}

/** The box of a face, in pixels of its image. */
export const boxOf = (
  { boundingBox: { left, top, width, height } }: Pick<DrawnFace, 'boundingBox'>,
  image: { readonly width: number; readonly height: number },
): Box => ({
  x: left * image.width,
  y: top * image.height,
  width: width * image.width,
  height: height * image.height,
});

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Two lines from the center of a box: where the face points, and where the top of the head is. */
export function poseLines({ x, y, width, height }: Box, pose: { yaw: number; pitch: number; roll: number }) {
  const [yaw, pitch, roll] = [radians(pose.yaw), radians(pose.pitch), radians(pose.roll)];
  const [centerX, centerY] = [x + width / 2, y + height / 2];
  const to = (across: number, down: number) =>
    `M${centerX} ${centerY}l${(across * width).toFixed(1)} ${(down * width).toFixed(1)}`;
  // The person's left is to the right in the image, and y grows downward.
  return (
    to(Math.sin(yaw) * Math.cos(pitch), -Math.sin(pitch)) +
    to(0.5 * Math.sin(roll), -0.5 * Math.cos(roll) * Math.cos(pitch))
  );
}
