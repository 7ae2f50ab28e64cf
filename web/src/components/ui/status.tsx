import * as styles from './status.module.css';

/** The status of a figure: filled if reached or measured, hollow if not, dashed if unmeasured. */
export function Status({ status, label }: { status: string; label: string }) {
  return (
    <span className={styles.status} data-status={status}>
      {label}
    </span>
  );
}
