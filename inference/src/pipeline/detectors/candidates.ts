import type { ScoredBox } from '../image/boxes';

/** A detector's candidate for a face, in pixels of the detector's view. */
export interface Candidate extends ScoredBox {
  /** Roll of the face in radians, positive clockwise as displayed; 0 where the detector does not measure it. */
  readonly angle: number;
}
