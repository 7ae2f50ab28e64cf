import * as drawings from '../../drawings/drawings.module.css';
import { CropBrackets, Face } from '../../drawings/parts';
import { round } from '../../drawings/project-face';
import * as styles from './mockups.module.css';
import { Bust } from './person';

const FRAME = { x: 40, y: 4, width: 320, height: 372 };
const GUIDE = { x: 200, y: 182, rx: 116, ry: 148 };
/** Distance of the step marks from the guide. */
const MARKS_APART = 12;
/** Degrees between two marks. */
const GAP = 5;

/** The mirrored camera preview: a turn to the left moves left. */
export function LivenessMockup({ steps, label }: { steps: number; label: string }) {
  const pose = { yaw: -27, pitch: 2, x: GUIDE.x, y: GUIDE.y + 4, scale: 94 };
  const [done, ...left] = Array.from({ length: steps }, (_, step) => markOf(step, steps));
  return (
    <svg className={drawings.drawing} viewBox="0 0 400 380" role="img" aria-label={label}>
      <clipPath id="liveness-image">
        <rect {...FRAME} />
      </clipPath>
      <g clipPath="url(#liveness-image)">
        <Bust pose={pose} className={styles.bust} />
      </g>
      <ellipse className={styles.extension} cx={GUIDE.x} cy={GUIDE.y} rx={GUIDE.rx} ry={GUIDE.ry} />
      <path className={styles.pending} d={left.join('')} />
      <path className={styles.passed} d={done} />
      <Face {...pose} detail="mesh" />
      <path className={styles.arrow} d="M236 356Q200 366 158 352M168 347l-10 5l6 10" />
      <CropBrackets {...FRAME} arm={24} />
    </svg>
  );
}

/** The arc of one step. Steps run clockwise from the top. */
function markOf(step: number, steps: number) {
  const [rx, ry] = [GUIDE.rx + MARKS_APART, GUIDE.ry + MARKS_APART];
  const at = (degrees: number) => {
    const angle = ((degrees - 90) * Math.PI) / 180;
    return `${round(GUIDE.x + Math.cos(angle) * rx)} ${round(GUIDE.y + Math.sin(angle) * ry)}`;
  };
  const share = 360 / steps;
  return `M${at(step * share + GAP / 2)}A${rx} ${ry} 0 0 1 ${at((step + 1) * share - GAP / 2)}`;
}
