/** A question that opens to its answer, each by itself; also without JavaScript, and found by the browser's search. */
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
