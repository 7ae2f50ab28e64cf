/** The frame of a demo, with a note about images and results. */
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

/** False until the page's script runs. Controls are disabled until then. */
export function useReady(): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return ready;
}
