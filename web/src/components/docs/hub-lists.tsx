/** The lists of the documentation's start page. */
import { Link } from 'gatsby';
import * as styles from './hub-lists.module.css';
import { useDocs } from './use-docs';

/** All pages in the groups of the sidebar. @param label of the landmark */
export function PageGroups({ label }: { label: string }) {
  return (
    <nav className={styles.groups} aria-label={label}>
      {useDocs().groups.map(({ label: heading, links }) => (
        <div key={heading}>
          <h3>{heading}</h3>
          <ul className={styles.links}>
            {links.map(({ label: text, to }) => (
              <li key={to}>
                <Link to={to}>{text}</Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

interface FileListProps {
  links: readonly { label: string; to: string; text: string }[];
}

/** Files for programs, which are no pages. */
export const FileList = ({ links }: FileListProps) => (
  <dl className={styles.files}>
    {links.map(({ label, to, text }) => (
      <div key={to}>
        <dt>
          <a href={to}>{label}</a>
        </dt>
        <dd>{text}</dd>
      </div>
    ))}
  </dl>
);
