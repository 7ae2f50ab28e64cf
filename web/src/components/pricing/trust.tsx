import { Link } from 'gatsby';
import type { PricingWords } from './plan';
import * as styles from './trust.module.css';

/** Properties of all plans. Each badge links to its evidence. */
export function Trust({ label, badges, behind }: PricingWords['trust']) {
  return (
    <section className={styles.trust} aria-label={label}>
      <ul className={styles.badges}>
        {badges.map(({ label: badge, to }) => (
          <li key={badge}>
            <Link to={to}>{badge}</Link>
          </li>
        ))}
      </ul>
      <p className={styles.behind}>
        <Link to={behind.to}>{behind.label}</Link>
      </p>
    </section>
  );
}
