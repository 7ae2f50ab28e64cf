import * as styles from './tags.module.css';

export function Tags({ label, tags }: { label: string; tags: readonly string[] }) {
  return (
    <ul className={styles.tags} aria-label={label}>
      {tags.map((tag) => (
        <li key={tag}>{tag}</li>
      ))}
    </ul>
  );
}
