import * as styles from './skeleton.module.css';

/** In place of data that load: gray lines where text will be, and a label for screen readers. */
export const Skeleton = ({ label }: { label: string }) => (
  <div className={styles.skeleton} role="status" aria-busy="true">
    <span className="visually-hidden">{label}</span>
    <span className={styles.line} />
    <span className={styles.line} />
    <span className={styles.line} />
    <span className={styles.line} />
  </div>
);
