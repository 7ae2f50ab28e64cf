import { HeroDrawing } from '../drawings/hero-drawing';
import type { Link } from '../use-site';
import * as styles from './hero.module.css';

interface HeroProps {
  heading: string;
  lead: string;
  /** The first is the one that matters. */
  actions: Link[];
  /** What the drawing shows, in words. */
  drawing: string;
}

export function Hero({ heading, lead, actions, drawing }: HeroProps) {
  return (
    <section className={styles.hero}>
      <div>
        <h1>{heading}</h1>
        <p className={styles.lead}>{lead}</p>
        <p className={styles.actions}>
          {actions.map(({ label, to }) => (
            <a key={to} href={to}>
              {label}
            </a>
          ))}
        </p>
      </div>
      <div className={styles.drawing}>
        <HeroDrawing label={drawing} />
      </div>
    </section>
  );
}
