/** A face as the API answers it, and how to draw it into its own box. */
import type { Pose } from '../../drawings/project-face';

export interface AnswerFace {
  similarity: number | null;
  confidence: number;
  /** Shares of the picture's width and height. */
  boundingBox: { left: number; top: number; width: number; height: number };
}

export interface Square {
  x: number;
  y: number;
  size: number;
}

/** The box in drawing units, inside a square picture. */
export const boxIn = ({ boundingBox }: AnswerFace, { x, y, size }: Square) => ({
  x: round(x + boundingBox.left * size),
  y: round(y + boundingBox.top * size),
  width: round(boundingBox.width * size),
  height: round(boundingBox.height * size),
});

/** Height of a box around a face, in units of the face's scale: the head and a little air. */
const BOX_HEIGHT = 2.85;

/** The pose in which a face fills the box. */
export function poseIn(face: AnswerFace, picture: Square, turn: Pick<Pose, 'yaw' | 'pitch'> = {}): Pose {
  const { x, y, width, height } = boxIn(face, picture);
  return { ...turn, x: x + width / 2, y: y + height / 2, scale: height / BOX_HEIGHT };
}

const round = (value: number) => Math.round(value * 10) / 10;
