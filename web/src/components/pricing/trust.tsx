import { Link } from 'gatsby';
import type { Link as LinkWords } from '../use-site';
import * as styles from './trust.module.css';

interface TrustProps {
  label: string;
  badges: string[];
  behind: LinkWords;
}

/** What the service states about itself, and where it stands beside what was measured. */
export function Trust({ label, badges, behind }: TrustProps) {
  return (
    <section className={styles.trust} aria-label={label}>
      <ul className={styles.badges}>
        {badges.map((badge) => (
          <li key={badge}>{badge}</li>
        ))}
      </ul>
      <p className={styles.behind}>
        <Link to={behind.to}>{behind.label}</Link>
      </p>
    </section>
  );
}
