import * as styles from './status.module.css';

/** How a figure stands: a filled mark where it holds, a hollow one where it does not, a dashed one where nobody knows. */
export function Status({ status, label }: { status: string; label: string }) {
  return (
    <span className={styles.status} data-status={status}>
      {label}
    </span>
  );
}
