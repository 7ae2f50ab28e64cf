import { ANCHORS } from './face-geometry';
import { type Pose, projectFace } from './project-face';

interface AnchorLinksProps {
  from: Pose;
  to: Pose;
  className: string | undefined;
}

/** Lines between matching points of a face in two poses, inside an <svg>. */
export function AnchorLinks({ from, to, className }: AnchorLinksProps) {
  const [start, end] = [projectFace(from), projectFace(to)];
  const lines = ANCHORS.map((anchor) => {
    const [a, b] = [start.point(anchor), end.point(anchor)];
    return `M${a.x} ${a.y}L${b.x} ${b.y}`;
  });
  return <path className={className} d={lines.join('')} />;
}
