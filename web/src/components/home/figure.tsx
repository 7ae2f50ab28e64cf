/** The figure of a product: an illustration beside the response that it shows. */
import type { ReactNode } from 'react';
import * as styles from './home.module.css';

interface FigureProps {
  number: string;
  title: string;
  operation: string;
  /** The part of the response that the illustration shows. */
  html: string;
  responseLabel: string;
  /** The source of a photo. */
  credit: string | null;
  children: ReactNode;
}

export function Figure({ number, title, operation, html, responseLabel, credit, children }: FigureProps) {
  return (
    <figure className={styles.plate}>
      <div className={styles.sheet}>
        <div className={styles.image}>
          {children}
          {credit && <p className={styles.credit}>{credit}</p>}
        </div>
        <section
          className={styles.response}
          data-source="contract"
          aria-label={responseLabel}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: gatsby/highlight.mjs writes it from an example of the contract or a result of the engine.
          dangerouslySetInnerHTML={{ __html: html }}
        />
      </div>
      <figcaption className={styles.caption}>
        <span>{number}</span>
        <span>{title}</span>
        <code>{operation}</code>
      </figcaption>
    </figure>
  );
}
