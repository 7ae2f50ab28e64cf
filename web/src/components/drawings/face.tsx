import * as styles from './drawings.module.css';
import { type Pose, projectFace } from './project-face';

/** How much of a face still reads at its size. */
type Detail = 'landmarks' | 'mesh' | 'outline';

/** One face as line drawing, inside an <svg>. */
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
