import * as styles from './contents.module.css';

interface ContentsProps {
  label: string;
  /** Made by gatsby-plugin-mdx. */
  toc: Record<string, unknown> | null;
}

export function Contents({ label, toc }: ContentsProps) {
  // Each address begins with #.
  const entries = toc?.items as { url: string; title: string }[];
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
