import type { ReactNode } from 'react';
import * as styles from './section.module.css';

interface SectionProps {
  id?: string;
  heading: string;
  lead?: ReactNode;
  children: ReactNode;
}

export function Section({ id, heading, lead, children }: SectionProps) {
  return (
    <section id={id} className={styles.section}>
      <h2>{heading}</h2>
      {lead && <p className={styles.lead}>{lead}</p>}
      <div className={styles.body}>{children}</div>
    </section>
  );
}
