/** The drawings of single pages. */
import * as styles from './drawings.module.css';
import { CropBrackets, Face } from './parts';

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
