import * as styles from './status.module.css';

/** A word with a landmark before it: filled where it was reached, hollow where it was missed, dashed where nobody knows. */
export function Status({ status, label }: { status: 'reached' | 'missed' | 'unmeasured'; label: string }) {
  return (
    <span className={styles.status} data-status={status}>
      {label}
    </span>
  );
}
