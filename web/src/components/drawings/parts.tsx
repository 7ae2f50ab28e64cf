/** Parts of line drawings, inside an <svg>. */
import * as styles from './drawings.module.css';
import { type Pose, projectFace } from './project-face';

/** The level of detail, depending on the size. */
type Detail = 'landmarks' | 'mesh' | 'outline';

/** A face as line drawing. */
export function Face({ detail = 'landmarks', ...pose }: Pose & { detail?: Detail }) {
  const { features, irises, landmarks, mesh, outline } = projectFace(pose);
  return (
    <g>
      <path className={styles.mesh} d={detail === 'outline' ? outline : mesh} />
      <path className={styles.feature} d={features} />
      {irises.map(({ x, y }) => (
        <circle key={x} className={styles.iris} cx={x} cy={y} r={pose.scale * 0.03} />
      ))}
      {detail === 'landmarks' && <path className={styles.landmark} d={landmarks} />}
    </g>
  );
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The corners of a crop. @param arm length of each arm, in drawing units */
export function CropBrackets({ x, y, width, height, arm }: Box & { arm: number }) {
  const right = x + width;
  const bottom = y + height;
  const corners = [
    `M${x} ${y + arm}V${y}H${x + arm}`,
    `M${right - arm} ${y}H${right}V${y + arm}`,
    `M${right} ${bottom - arm}V${bottom}H${right - arm}`,
    `M${x + arm} ${bottom}H${x}V${bottom - arm}`,
  ];
  return <path className={styles.bracket} d={corners.join('')} />;
}

/** The crop of a face: portrait format, slightly wider than the head. */
export const around = ({ x, y, scale }: Pose): Box => ({
  x: x - scale * 1.16,
  y: y - scale * 1.52,
  width: scale * 2.32,
  height: scale * 3.04,
});

/** Path data of diagonal lines that fill a box, `step` apart along its edges. */
export function hatch({ x, y, width, height }: Box, step: number) {
  const lines: string[] = [];
  for (let offset = step; offset < width + height; offset += step) {
    const fromX = Math.min(offset, width);
    const toY = Math.min(offset, height);
    lines.push(`M${x + fromX} ${y + offset - fromX}L${x + offset - toY} ${y + toY}`);
  }
  return lines.join('');
}
