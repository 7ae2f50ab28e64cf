/** The frame of a demo, with a note about images and results. */
import type { ReactNode } from 'react';
import * as styles from './frame.module.css';

interface FrameProps {
  label: string;
  note?: string | undefined;
  children: ReactNode;
}

export function Frame({ label, note, children }: FrameProps) {
  return (
    <figure className={styles.frame} aria-label={label} data-source="engine">
      {children}
      {note && <figcaption>{note}</figcaption>}
    </figure>
  );
}
