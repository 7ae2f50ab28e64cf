import type { ReactNode } from 'react';
import * as styles from './page-intro.module.css';
import { WholeWords } from './whole-words';

interface PageIntroProps {
  heading: string;
  lead?: string | null;
  /** Buttons, dates, notes. */
  children?: ReactNode;
}

export function PageIntro({ heading, lead, children }: PageIntroProps) {
  return (
    <header className={styles.intro}>
      <h1>
        <WholeWords text={heading} />
      </h1>
      {lead && <p className={styles.lead}>{lead}</p>}
      {children}
    </header>
  );
}
