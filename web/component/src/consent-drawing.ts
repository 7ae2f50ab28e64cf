import { brackets } from './brackets';
import { svg } from './dom';
import { type Pose, projectFace } from './drawing/project-face';

/** Decoration: a head that turns from side to side, like in the check. */
export const consentDrawing = () =>
  svg(
    'svg',
    { class: 'drawing', viewBox: '0 0 320 300', 'aria-hidden': 'true' },
    face({ yaw: -40, x: 52, y: 150, scale: 50 }, 'outline'),
    face({ yaw: 40, x: 268, y: 150, scale: 50 }, 'outline'),
    face({ x: 160, y: 136, scale: 74 }, 'mesh'),
    brackets({ x: 70, y: 20, width: 180, height: 232, arm: 24 }),
    svg('path', { class: 'turn', d: 'M74 272Q160 300 246 272M83 283l-10-11l13-6M237 283l10-11l-13-6' }),
  );

function face(pose: Pose, detail: 'mesh' | 'outline') {
  const { [detail]: lines, features, irises } = projectFace(pose);
  return svg(
    'g',
    {},
    svg('path', { class: 'mesh', d: lines }),
    svg('path', { class: 'feature', d: features }),
    ...irises.map(({ x, y }) => svg('circle', { class: 'iris', cx: x, cy: y, r: pose.scale * 0.03 })),
  );
}
