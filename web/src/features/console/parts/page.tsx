import { type ReactNode, useEffect, useRef } from 'react';
import { useConsole } from '../state/context';
import * as styles from './page.module.css';

interface PageProps {
  title: string;
  lead?: string | undefined;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** Forms of people who are not signed in are narrow. */
  narrow?: boolean;
  children: ReactNode;
}

/** A page of the console: title, buttons and content. It moves the focus to the title, as a new document would. */
export function Page({ title, lead, actions, narrow, children }: PageProps) {
  const { shell } = useConsole().texts;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${shell.title}`;
    heading.current?.focus();
  }, [title, shell]);
  return (
    <div className={narrow ? styles.narrow : styles.page}>
      <header className={styles.top}>
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A part of a page with its heading. */
export const Block = ({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) => (
  <section className={styles.block}>
    <header className={styles.blockTop}>
      <h2>{title}</h2>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
    {children}
  </section>
);
