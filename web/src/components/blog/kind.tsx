import type { ArticleSummary } from './article';
import * as styles from './kind.module.css';
import { useBlogWords } from './use-blog-words';

/** What kind of article it is, and how long it takes to read. */
export function Kind({
  category,
  readingTime,
  featured,
}: Partial<Pick<ArticleSummary, 'featured'>> & Pick<ArticleSummary, 'category' | 'readingTime'>) {
  const { labels } = useBlogWords();
  return (
    <p className={styles.kind}>
      <span className={styles.category}>{category}</span>
      <span>{labels.readingTime.replace('{minutes}', String(readingTime))}</span>
      {featured && <span>{labels.featured}</span>}
    </p>
  );
}
