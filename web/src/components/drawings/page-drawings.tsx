/** The drawings of single pages. */
import * as styles from './drawings.module.css';
import { AnchorLinks, CropBrackets, Face } from './parts';
import type { Pose } from './project-face';

const FOUND: Pose = { yaw: -21, pitch: 5, x: 252, y: 268, scale: 178 };
const ALIGNED: Pose = { x: 474, y: 500, scale: 58 };
const CHIP = { x: 394, y: 408, width: 160, height: 184 };

/** The first steps with a face: detection, alignment and cropping. */
export function HeroDrawing({ label }: { label: string }) {
  return (
    <svg className={styles.drawing} viewBox="0 0 560 600" role="img" aria-label={label}>
      <path className={styles.guide} d={ruler({ from: 44, to: 484, step: 11, every: 5 })} />
      <Face {...FOUND} />
      <CropBrackets x={44} y={12} width={408} height={520} arm={34} />
      <rect className={styles.chip} {...CHIP} />
      <AnchorLinks className={styles.leader} from={FOUND} to={ALIGNED} />
      <Face {...ALIGNED} detail="mesh" />
      <CropBrackets {...CHIP} arm={16} />
    </svg>
  );
}

/** Tick marks below the drawing, a longer one `every` few. */
function ruler({ from, to, step, every }: { from: number; to: number; step: number; every: number }) {
  const count = Math.floor((to - from) / step);
  return Array.from({ length: count }, (_, i) => `M${from + i * step} 560v${i % every ? 5 : 11}`).join('');
}

/** Lines at the height of eyes, nose and mouth, in units of the face's scale from its center. */
const LEVELS = [-1.32, -0.19, 0.28, 0.65, 1.3];
const CENTRE = { y: 104, scale: 68 };

/** A head in three views with guide lines across them, as in a technical drawing. */
export function ElevationsDrawing({ label }: { label: string }) {
  const levels = LEVELS.map((level) => `M4 ${CENTRE.y + level * CENTRE.scale}H556`).join('');
  return (
    <svg className={styles.drawing} viewBox="0 0 560 212" role="img" aria-label={label}>
      <path className={styles.leader} d={levels} />
      <Face {...CENTRE} x={92} yaw={-48} detail="mesh" />
      <Face {...CENTRE} x={280} />
      <Face {...CENTRE} x={468} yaw={48} detail="mesh" />
      <CropBrackets x={190} y={2} width={180} height={206} arm={18} />
    </svg>
  );
}

/** Decoration: crop brackets and guide lines without a face. */
export function EmptyFrame() {
  return (
    <svg className={styles.drawing} viewBox="0 0 320 320" aria-hidden="true">
      <path className={styles.guide} d="M160 24v18M160 278v18M24 160h18M278 160h18M154 160h12M160 154v12" />
      <ellipse className={styles.leader} cx="160" cy="160" rx="78" ry="102" />
      <CropBrackets x={24} y={24} width={272} height={272} arm={30} />
    </svg>
  );
}
