/** A face of a response, and the pose that draws it into its bounding box. */
import type { Pose } from '../../drawings/project-face';

/** Coordinates are proportions of the image's width and height. */
export type ResponseFace =
  QueryData<Queries.HomePageQuery>['allProductExample']['nodes'][number]['faces'][number];

export interface Square {
  x: number;
  y: number;
  size: number;
}

/** The box in drawing units, inside a square image. */
export const boxIn = ({ boundingBox }: ResponseFace, { x, y, size }: Square) => ({
  x: round(x + boundingBox.left * size),
  y: round(y + boundingBox.top * size),
  width: round(boundingBox.width * size),
  height: round(boundingBox.height * size),
});

/** Height of a face's box in units of the face's scale: the head with a margin. */
const BOX_HEIGHT = 2.85;

/** The pose that fills the box. */
export function poseIn(face: ResponseFace, image: Square, turn: Pick<Pose, 'yaw' | 'pitch'> = {}): Pose {
  const { x, y, width, height } = boxIn(face, image);
  return { ...turn, x: x + width / 2, y: y + height / 2, scale: height / BOX_HEIGHT };
}

const round = (value: number) => Math.round(value * 10) / 10;
