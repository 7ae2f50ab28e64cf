import * as styles from './status.module.css';

/**
 * The status of a figure with its symbol and color: a check mark if reached, a cross if missed, a half-full circle if
 * open, a full one if measured, a minus without a figure, and a dashed circle for what is expected or promised.
 */
export function Status({ status, label }: { status: string; label: string }) {
  return (
    <span className={styles.status} data-status={status}>
      {label}
    </span>
  );
}
