import type { Pose } from '../../drawings/project-face';

/** Half of neck and shoulders, in units of the face's scale, from its center: x, y of each point of the curve. */
const CURVE = [0.62, 1.02, 0.6, 1.5, 0.78, 1.66, 1.3, 1.82, 1.95, 2.02, 2.3, 2.4, 2.4, 3.2];

/** Neck and shoulders below a face, inside an <svg>. */
export function Bust({ pose, className }: { pose: Pose; className: string | undefined }) {
  return <path className={className} d={half(pose, 1) + half(pose, -1)} />;
}

function half({ x, y, scale }: Pose, side: 1 | -1) {
  const points = Array.from({ length: CURVE.length / 2 }, (_, i) => {
    const [px = 0, py = 0] = CURVE.slice(i * 2, i * 2 + 2);
    return `${round(x + side * px * scale)} ${round(y + py * scale)}`;
  });
  const [start, ...curve] = points;
  return `M${start}C${curve.join(' ')}`;
}

const round = (value: number) => Math.round(value * 10) / 10;
