/**
 * Whether a face that turns is flat. Two views of a plane differ by a homography; the nose of a head is outside the plane
 * of the face and moves against it as the head turns: "plane plus parallax", Irani and Anandan,
 * "Parallax geometry of pairs of points for 3D scene analysis", 1996. Uses only positions in the image, never the
 * depth that the mesh model infers, because it infers a head from every photograph.
 */
import type { Planarity } from '../../wire/frames';
import type { Points } from '../image/geometry';
import { fitHomography, project } from './homography';
import { centerOf, facePlane, interOcularDistance, noseRidge } from './landmarks';
import { median } from './median';
import type { Sighting, Track } from './track';

/** Least difference of yaw or pitch, in degrees, at which two frames show whether a face is flat. */
const minTurn = 15;
/** Largest turn from the camera, in degrees, at which the mesh model sees both sides of the face. */
const maxAngle = 45;
/** Measured pairs, those with the widest turns; enough for a median that one bad mesh does not move. */
const maxPairs = 9;

/**
 * Measures the widest turns of a track.
 * @returns undefined if no two frames differ enough.
 */
export function measurePlanarity(track: Track): Planarity | undefined {
  const seen = track.filter(({ pose }) => Math.max(Math.abs(pose.yaw), Math.abs(pose.pitch)) <= maxAngle);
  const pairs = seen
    .flatMap((a, i) => seen.slice(i + 1).map((b) => ({ a, b, turn: turnBetween(a, b) })))
    .filter(({ turn }) => turn >= minTurn)
    .sort((a, b) => b.turn - a.turn)
    .slice(0, maxPairs);
  const parallaxes = pairs.flatMap(({ a, b }) => parallaxBetween(a.points, b.points) ?? []);
  const parallax = median(parallaxes);
  const [widest] = pairs;
  if (parallax === undefined || !widest) return undefined;
  return { parallax, turnDegrees: widest.turn, pairs: parallaxes.length };
}

const turnBetween = (a: Sighting, b: Sighting) =>
  Math.max(Math.abs(a.pose.yaw - b.pose.yaw), Math.abs(a.pose.pitch - b.pose.pitch));

/**
 * The parallax of the nose between two meshes: the homography of the plane of the face takes one view to the other;
 * the mean distance by which it misses the nose, in inter-ocular distances of the view that shows the eyes wider
 * apart, which is where the distance is measured.
 * @returns undefined if the points lie on one line.
 */
export function parallaxBetween(a: Points, b: Points): number | undefined {
  const [from, to] = interOcularDistance(a) > interOcularDistance(b) ? [b, a] : [a, b];
  const plane = fitHomography(from, to, facePlane);
  if (!plane) return undefined;
  const expected = new Float32Array(from.length);
  for (const i of noseRidge) {
    expected.set(project(plane, from[2 * i] as number, from[2 * i + 1] as number), 2 * i);
  }
  const [x, y] = centerOf(expected, noseRidge);
  const [noseX, noseY] = centerOf(to, noseRidge);
  return Math.hypot(noseX - x, noseY - y) / interOcularDistance(to);
}
