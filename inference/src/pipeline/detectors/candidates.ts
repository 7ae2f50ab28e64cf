import type { ScoredBox } from '../image/boxes';

/** A place where a detector saw a face, in pixels of whatever it looked at. */
export interface Candidate extends ScoredBox {
  /** Roll of the face in radians, positive clockwise as displayed; 0 where the detector cannot tell. */
  readonly angle: number;
}
