/** A face through time: what the measures over several frames need, pixels and embeddings left behind. */

import type { Pose } from '../../wire/faces';
import type { Points } from '../image/geometry';

export interface Sighting {
  /** When the frame was taken, in milliseconds on any clock that all frames share. */
  readonly timeMs: number;
  /** The mesh in image pixels. */
  readonly points: Points;
  readonly pose: Pose;
}

/** Sightings in the order of time; frames without a face are not in it. */
export type Track = readonly Sighting[];
