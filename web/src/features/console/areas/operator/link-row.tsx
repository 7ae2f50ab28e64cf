import { Link } from 'gatsby';
import * as styles from './link-row.module.css';

interface LinkRowProps {
  label: string;
  links: readonly { readonly to: string; readonly label: string }[];
}

/** Links to the parts of a page, of which the current one is marked. */
export const LinkRow = ({ label, links }: LinkRowProps) => (
  <nav aria-label={label} className={styles.row}>
    {links.map(({ to, label: text }) => (
      <Link key={to} to={to} activeClassName={styles.current as string}>
        {text}
      </Link>
    ))}
  </nav>
);
