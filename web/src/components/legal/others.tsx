import { Link } from 'gatsby';
import type { Link as Target } from '../use-site';
import * as styles from './legal.module.css';

/** Links to the other legal texts. */
export function Others({ label, links }: { label: string; links: readonly Target[] }) {
  return (
    <p className={styles.others}>
      {label}
      {links.map(({ to, label: name }) => (
        <Link key={to} to={to}>
          {name}
        </Link>
      ))}
    </p>
  );
}
