import { CropBrackets } from './crop-brackets';
import * as styles from './drawings.module.css';
import { Face } from './face';

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
