/** A face of a response, and its drawing in the bounding box. */
import { type Pose, round } from '../../drawings/project-face';

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

/** Half of neck and shoulders, in units of the face's scale, from its center: x, y of each point of the curve. */
const CURVE = [0.62, 1.02, 0.6, 1.5, 0.78, 1.66, 1.3, 1.82, 1.95, 2.02, 2.3, 2.4, 2.4, 3.2];

/** Neck and shoulders below a face, inside an <svg>. */
export function Bust({ pose, className }: { pose: Pose; className: string | undefined }) {
  return <path className={className} d={half(pose, 1) + half(pose, -1)} />;
}

function half({ x, y, scale }: Pose, side: 1 | -1) {
  const points = Array.from({ length: CURVE.length / 2 }, (_, i) => {
    const [px = 0, py = 0] = CURVE.slice(i * 2, i * 2 + 2);
    return `${round(x + side * px * scale)} ${round(y + py * scale)}`;
  });
  const [start, ...curve] = points;
  return `M${start}C${curve.join(' ')}`;
}
