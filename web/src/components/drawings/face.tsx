import * as styles from './drawings.module.css';
import { type Pose, projectFace } from './project-face';

/** The level of detail, depending on the size. */
type Detail = 'landmarks' | 'mesh' | 'outline';

/** A face as line drawing, inside an <svg>. */
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
