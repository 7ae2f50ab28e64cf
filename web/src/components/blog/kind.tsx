import type { ArticleSummary } from './article';
import * as styles from './kind.module.css';
import { useBlogWords } from './use-blog-words';

/** The category and reading time of an article. */
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
