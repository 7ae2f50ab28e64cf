import { Link } from 'gatsby';
import * as styles from './sidebar.module.css';
import type { TocEntry } from './toc';
import { useDocs } from './use-docs';

interface SidebarProps {
  /** Label of its landmark. Each page has two sidebars, one of them visible. */
  label: string;
  current: string;
  /** Headings of the current page. */
  sections: readonly TocEntry[];
  activeAnchor: string | undefined;
}

export function Sidebar({ label, current, sections, activeAnchor }: SidebarProps) {
  const { groups } = useDocs();
  return (
    <nav className={styles.sidebar} aria-label={label}>
      {groups.map(({ label: heading, links }) => (
        <div key={heading}>
          <p className={styles.heading}>{heading}</p>
          <ul className={styles.links}>
            {links.map(({ label: text, to }) => (
              <li key={to}>
                <Link to={to} aria-current={to === current ? 'page' : undefined}>
                  {text}
                </Link>
                {to === current && sections.length > 0 && (
                  <ul className={styles.sections}>
                    {sections.map(({ id, title, source }) => (
                      <li key={id} data-source={source}>
                        <a href={`#${id}`} aria-current={id === activeAnchor ? 'location' : undefined}>
                          {title}
                        </a>
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
