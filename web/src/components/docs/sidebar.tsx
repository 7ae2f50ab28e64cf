import { Link } from 'gatsby';
import * as styles from './sidebar.module.css';
import { useDocs } from './use-docs';

interface SidebarProps {
  /** Label of its landmark. Each page has two sidebars, one of them visible. */
  label: string;
  current: string;
  activeAnchor: string | undefined;
}

export function Sidebar({ label, current, activeAnchor }: SidebarProps) {
  const { groups } = useDocs();
  const here = activeAnchor ? `${current}#${activeAnchor}` : current;
  return (
    <nav className={styles.sidebar} aria-label={label}>
      {groups.map(({ label: heading, links }) => (
        <div key={heading}>
          <p className={styles.heading}>{heading}</p>
          <ul className={styles.links}>
            {links.map(({ label: text, to }) => (
              <li key={to}>
                <Link to={to} aria-current={to === here ? (activeAnchor ? 'location' : 'page') : undefined}>
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
