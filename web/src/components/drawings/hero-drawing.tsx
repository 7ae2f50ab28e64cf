import { AnchorLinks } from './anchor-links';
import { CropBrackets } from './crop-brackets';
import * as styles from './drawings.module.css';
import { Face } from './face';
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
