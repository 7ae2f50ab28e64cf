import * as styles from './drawings.module.css';
import type { Pose } from './project-face';

interface CropBracketsProps {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Length of each arm, in drawing units. */
  arm: number;
}

/** The corners of a crop, inside an <svg>. */
export function CropBrackets({ x, y, width, height, arm }: CropBracketsProps) {
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
export const around = ({ x, y, scale }: Pose) => ({
  x: x - scale * 1.16,
  y: y - scale * 1.52,
  width: scale * 2.32,
  height: scale * 3.04,
});
