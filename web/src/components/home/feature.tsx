/** A product with its claims and a figure of a real response. */
import { Link as GatsbyLink } from 'gatsby';
import type { ReactNode } from 'react';
import { Claims } from '../marketing/claims';
import type { Link } from '../use-site';
import * as styles from './feature.module.css';

interface FeatureProps {
  id: string;
  heading: string;
  text: string;
  points: readonly string[];
  claims: readonly string[];
  link: Link;
  /** The figure. */
  children: ReactNode;
}

export function Feature({ id, heading, text, points, claims, link, children }: FeatureProps) {
  return (
    <section id={id} className={styles.feature}>
      <div className={styles.words}>
        <h2>{heading}</h2>
        <p className={styles.text}>{text}</p>
        <ul className={styles.points}>
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
        <p className={styles.more}>
          <GatsbyLink to={link.to}>{link.label}</GatsbyLink>
        </p>
        <Claims ids={claims} />
      </div>
      <div className={styles.figure}>{children}</div>
    </section>
  );
}
