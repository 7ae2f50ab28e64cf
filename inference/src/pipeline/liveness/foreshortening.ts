/**
 * Whether a face narrows as much as it seems to turn. When a head turns, the distance of its eyes shrinks with the cosine
 * of the angle. The mesh model underestimates the turn of a print, flat or bent, whose face is therefore narrower than
 * its pose explains.
 */
import type { Foreshortening } from '../../wire/frames';
import type { Points } from '../image/geometry';
import { centerOf, eyeCorners } from './landmarks';
import { median } from './median';
import type { Sighting, Track } from './track';

/**
 * Frames with a yaw up to `straight` are frontal; those from `turned` to `most` are turned. A frontal frame is level with
 * the turned ones if its pitch differs by at most `level`. Degrees.
 */
const angles = { straight: 10, turned: 22, most: 42, level: 8 } as const;

/** @returns undefined if no frame is frontal, or none is turned */
export function measureForeshortening(track: Track): Foreshortening | undefined {
  const between = (from: number, to: number) =>
    track.filter(({ pose }) => Math.abs(pose.yaw) >= from && Math.abs(pose.yaw) <= to);
  const turned = between(angles.turned, angles.most);
  const straight = levelWith(turned, between(0, angles.straight));
  const [width, full] = [median(turned.map(unturnedWidth)), median(straight.map(unturnedWidth))];
  if (full === undefined || width === undefined) return undefined;
  return { ratio: width / full, frames: turned.length };
}

/**
 * A face that looks up has less height, so raised frames would make a head seem squeezed. Where no frontal frame is level,
 * all of them count, so that tilting the turned face does not avoid the measurement.
 */
function levelWith(turned: Track, straight: Track): Track {
  const pitch = median(turned.map(({ pose }) => pose.pitch)) ?? 0;
  const level = straight.filter(({ pose }) => Math.abs(pose.pitch - pitch) <= angles.level);
  return level.length > 0 ? level : straight;
}

/** Width of the eyes seen from the front if the pose is right, in heights of the upper face. */
const unturnedWidth = ({ points, pose }: Sighting): number =>
  widthOverHeight(points) / Math.cos((pose.yaw * Math.PI) / 180);

/** Middle of the forehead and base of the nose: expression moves them little, and a turn never up or down. */
const [forehead, noseBase] = [151, 2];

/** Measured along and across the line through the outer corners of the eyes. */
function widthOverHeight(points: Points): number {
  const [x0, y0] = centerOf(points, [eyeCorners.right[0]]);
  const [x1, y1] = centerOf(points, [eyeCorners.left[0]]);
  const width = Math.hypot(x1 - x0, y1 - y0);
  const [topX, topY] = centerOf(points, [forehead]);
  const [baseX, baseY] = centerOf(points, [noseBase]);
  const height = ((baseY - topY) * (x1 - x0) - (baseX - topX) * (y1 - y0)) / width;
  return width / height;
}
