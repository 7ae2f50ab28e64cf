import * as styles from './contents.module.css';

interface ContentsProps {
  label: string;
  /** As gatsby-plugin-mdx gives them: the address begins with #. */
  entries: { url: string; title: string }[];
}

/** The sections of a text, each a link. */
export function Contents({ label, entries }: ContentsProps) {
  return (
    <nav className={styles.contents} aria-label={label}>
      <p className={styles.label} aria-hidden="true">
        {label}
      </p>
      <ol className={styles.entries}>
        {entries.map(({ url, title }) => (
          <li key={url}>
            <a href={url}>{title}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
