/** An important note in running text. */
import type { ReactNode } from 'react';
import * as styles from './note.module.css';

export function Note({ title, children }: { title: string; children: ReactNode }) {
  return (
    <aside className={styles.note}>
      <p className={styles.title}>{title}</p>
      {children}
    </aside>
  );
}
