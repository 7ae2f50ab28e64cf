/** A disclosure that works without JavaScript. The browser's search finds its content. */
import type { ReactNode } from 'react';
import * as styles from './disclosure.module.css';

interface DisclosureProps {
  id?: string;
  summary: ReactNode;
  children: ReactNode;
}

export function Disclosure({ id, summary, children }: DisclosureProps) {
  return (
    <details id={id} className={styles.disclosure}>
      <summary>{summary}</summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}
