/**
 * Whether a face narrows as much as it seems to turn. Of a head that turns by an angle, the distance of the eyes shrinks
 * with its cosine. The mesh model believes in a part only of the turn of a print, flat or bent, whose face shrinks with
 * all of it: it is narrower than its pose explains.
 */
import type { Foreshortening } from '../../wire/frames';
import type { Points } from '../image/geometry';
import { centreOf, eyeCorners } from './landmarks';
import { median } from './median';
import type { Sighting, Track } from './track';

/**
 * Frames with a yaw up to the first angle look straight on; from the second to the third they are turned. A straight
 * frame is level with the turned ones when it looks up or down by no more than the last one further. Degrees.
 */
const angles = { straight: 10, turned: 22, most: 42, level: 8 } as const;

/** @returns undefined where no frame looks straight on, or none is turned */
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
 * A face that looks up is measured with less height, so raised frames in between would make a head seem squeezed. Where
 * no straight frame is level all of them count: nobody leaves out the measure by tilting what he turns.
 */
function levelWith(turned: Track, straight: Track): Track {
  const pitch = median(turned.map(({ pose }) => pose.pitch)) ?? 0;
  const level = straight.filter(({ pose }) => Math.abs(pose.pitch - pitch) <= angles.level);
  return level.length > 0 ? level : straight;
}

/** How wide the eyes would be from the front if the pose were right, in heights of the upper face. */
const unturnedWidth = ({ points, pose }: Sighting): number =>
  widthOverHeight(points) / Math.cos((pose.yaw * Math.PI) / 180);

/** Middle of the forehead and base of the nose: expression moves them little, and a turn not at all up or down. */
const [forehead, noseBase] = [151, 2];

/** Both along and across the line through the outer corners of the eyes. */
function widthOverHeight(points: Points): number {
  const [x0, y0] = centreOf(points, [eyeCorners.right[0]]);
  const [x1, y1] = centreOf(points, [eyeCorners.left[0]]);
  const width = Math.hypot(x1 - x0, y1 - y0);
  const [topX, topY] = centreOf(points, [forehead]);
  const [baseX, baseY] = centreOf(points, [noseBase]);
  const height = ((baseY - topY) * (x1 - x0) - (baseX - topX) * (y1 - y0)) / width;
  return width / height;
}
