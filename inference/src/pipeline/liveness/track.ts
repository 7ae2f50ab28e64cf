/** A face over time, as the measurements over several frames need it. */
import type { Pose } from '../../wire/faces';
import type { Points } from '../image/geometry';

export interface Sighting {
  /** When the frame was taken, in milliseconds on a clock that all frames share. */
  readonly timeMs: number;
  /** The mesh in image pixels. */
  readonly points: Points;
  readonly pose: Pose;
}

/** Sightings in the order of time, without frames that show no face. */
export type Track = readonly Sighting[];
