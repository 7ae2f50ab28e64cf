import * as styles from './row-button.module.css';

interface RowButtonProps {
  label: string;
  /** The name of the row, for people who hear only the button. */
  row: string;
  onClick(): void;
}

/** A small button in the row of a table. */
export const RowButton = ({ label, row, onClick }: RowButtonProps) => (
  <button type="button" className={styles.button} onClick={onClick}>
    {label} <span className="visually-hidden">{row}</span>
  </button>
);

/** The buttons of a row, side by side. */
export const RowButtons = ({ children }: { children: React.ReactNode }) => (
  <span className={styles.buttons}>{children}</span>
);
