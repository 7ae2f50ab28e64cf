/** What every demo stands in: a sheet of the drawing, with a note below of what is real about it. */
import { type ReactNode, useEffect, useState } from 'react';
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

/** False until the page's script runs: controls that need it are switched off until then. */
export function useReady(): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return ready;
}
