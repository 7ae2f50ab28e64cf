import type { ReactNode } from 'react';
import * as styles from './quick-start.module.css';

interface QuickStartProps {
  heading: string;
  lead: string;
  /** The steps, as a numbered list. */
  children: ReactNode;
}

export function QuickStart({ heading, lead, children }: QuickStartProps) {
  return (
    <section id="quick-start" className={styles.section}>
      <div className={styles.intro}>
        <h2>{heading}</h2>
        <p>{lead}</p>
      </div>
      <div className={styles.steps}>{children}</div>
    </section>
  );
}
