import type { ReactNode } from 'react';
import * as styles from './filters.module.css';

/** The choices above a list, side by side where there is room. */
export const Filters = ({ children }: { children: ReactNode }) => (
  <div className={styles.filters}>{children}</div>
);
