/** A figure like a technical drawing, with a title strip. */
import type { ReactNode } from 'react';
import * as styles from './plate.module.css';

interface PlateProps {
  number: string;
  title: string;
  operation: string;
  drawing: ReactNode;
  children: ReactNode;
}

export function Plate({ number, title, operation, drawing, children }: PlateProps) {
  return (
    <figure className={styles.plate}>
      <div className={styles.sheet}>
        <div className={styles.drawing}>{drawing}</div>
        <div className={styles.aside} data-source="contract">
          {children}
        </div>
      </div>
      <figcaption className={styles.caption}>
        <span>{number}</span>
        <span>{title}</span>
        <code>{operation}</code>
      </figcaption>
    </figure>
  );
}

/** The part of a response that the drawing shows. */
export function ResponseExcerpt({ html, label }: { html: string; label: string }) {
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: gatsby/highlight.mjs writes it from an example of the contract.
    <section className={styles.response} aria-label={label} dangerouslySetInnerHTML={{ __html: html }} />
  );
}
