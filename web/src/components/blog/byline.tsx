import type { ArticleSummary } from './article';
import * as styles from './byline.module.css';
import { useBlogWords } from './use-blog-words';

type BylineProps = Pick<ArticleSummary, 'author' | 'published' | 'publishedDate' | 'updated' | 'lastUpdated'>;

/** The author and dates of an article. */
export function Byline(article: BylineProps) {
  const { by, published, updated } = useBlogWords().labels;
  return (
    <p className={styles.byline}>
      <span>
        {by} {article.author.name}
      </span>
      <span>
        {published} <time dateTime={article.publishedDate}>{article.published}</time>
      </span>
      <span>
        {updated} <time dateTime={article.lastUpdated}>{article.updated}</time>
      </span>
    </p>
  );
}
