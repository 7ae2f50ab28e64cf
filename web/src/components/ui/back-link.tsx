import { Link } from 'gatsby';
import * as styles from './back-link.module.css';

export function BackLink({ to, label }: { to: string; label: string }) {
  return (
    <Link className={styles.back} to={to} data-tools>
      {label}
    </Link>
  );
}
