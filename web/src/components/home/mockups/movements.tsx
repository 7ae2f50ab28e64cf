import * as drawings from '../../drawings/drawings.module.css';
import { Face } from '../../drawings/face';
import * as styles from './movements.module.css';

/** The pose after each movement of content/verify.json, mirrored like the camera preview. */
const POSES: Record<string, { yaw?: number; pitch?: number }> = {
  centre: {},
  left: { yaw: -34 },
  right: { yaw: 34 },
  up: { pitch: 24 },
  down: { pitch: -22 },
};

/** The movements of an attempt in order. */
export function Movements({ movements }: { movements: readonly { name: string; text: string }[] }) {
  return (
    <ol className={styles.movements}>
      {movements.map(({ name, text }) => (
        <li key={name}>
          <svg className={drawings.drawing} viewBox="0 0 48 48" aria-hidden="true">
            <Face {...POSES[name]} x={24} y={24} scale={15} detail="outline" />
          </svg>
          {text}
        </li>
      ))}
    </ol>
  );
}
