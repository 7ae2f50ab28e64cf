import * as drawings from '../../components/drawings/drawings.module.css';
import { round } from '../../components/drawings/project-face';
import * as styles from './illustrations.module.css';

interface DialProps {
  /** Center of the base line, in drawing units. */
  x: number;
  y: number;
  radius: number;
  /** 0 to 1, like the threshold. */
  value: number;
  threshold: number;
}

const TICKS = 20;

/** A half circle from 0 to 1 with a bold arc above the threshold and a hand at the value, inside an <svg>. */
export function Dial({ x, y, radius, value, threshold }: DialProps) {
  const at = (share: number, distance: number) => {
    const angle = Math.PI * (1 - share);
    return `${round(x + Math.cos(angle) * distance)} ${round(y - Math.sin(angle) * distance)}`;
  };
  const arc = (from: number, to: number) =>
    `M${at(from, radius)}A${radius} ${radius} 0 0 1 ${at(to, radius)}`;
  const ticks = Array.from({ length: TICKS + 1 }, (_, i) => {
    const share = i / TICKS;
    return `M${at(share, radius)}L${at(share, radius - (i % 2 ? 5 : 10))}`;
  });
  const [thresholdX, thresholdY] = at(threshold, radius + 26).split(' ');
  return (
    <g>
      <path className={styles.scale} d={arc(0, 1) + ticks.join('')} />
      <path className={styles.passed} d={arc(threshold, 1)} />
      <path className={drawings.tick} d={`M${at(threshold, radius - 14)}L${at(threshold, radius + 9)}`} />
      <path className={styles.hand} d={`M${at(value, radius - 52)}L${at(value, radius - 4)}`} />
      <text className={styles.value} x={x} y={y} textAnchor="middle">
        {value}
      </text>
      <text className={styles.text} x={thresholdX} y={thresholdY} textAnchor="middle">
        {threshold}
      </text>
      <text className={styles.text} x={x - radius} y={y + 22} textAnchor="middle">
        {0}
      </text>
      <text className={styles.text} x={x + radius} y={y + 22} textAnchor="middle">
        {1}
      </text>
    </g>
  );
}
