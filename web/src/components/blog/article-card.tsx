import { Link } from 'gatsby';
import { ArticleDrawing } from '../drawings/article-drawing';
import type { ArticleSummary } from './article';
import * as styles from './article-card.module.css';
import { Byline } from './byline';
import { Kind } from './kind';
import { Tags } from './tags';
import { useBlogWords } from './use-blog-words';

/** An article in the list. */
export function ArticleCard(article: ArticleSummary) {
  const { labels } = useBlogWords();
  return (
    <article className={styles.card}>
      <div className={styles.drawing}>
        <ArticleDrawing name={article.thumbnail} />
      </div>
      <div>
        <Kind {...article} />
        <h2>
          <Link to={article.path}>{article.title}</Link>
        </h2>
        <p className={styles.description}>{article.description}</p>
        <Byline {...article} />
        <Tags label={labels.tags} tags={article.tags} />
      </div>
    </article>
  );
}
