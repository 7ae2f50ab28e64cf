import { Link } from 'gatsby';
import { ArticleDrawing } from '../drawings/article-drawing';
import type { ArticleSummary } from './article';
import * as styles from './article-card.module.css';
import { Byline } from './byline';
import { Tags } from './tags';
import { useBlogWords } from './use-blog-words';

/** An article in the list. */
export function ArticleCard(article: ArticleSummary) {
  const { labels } = useBlogWords();
  return (
    <article className={styles.card} data-featured={article.featured === true}>
      <div className={styles.drawing}>
        <ArticleDrawing name={article.thumbnail} />
      </div>
      <div>
        <p className={styles.kind}>
          <span>{article.category}</span>
          {article.featured && <span className={styles.featured}>{labels.featured}</span>}
        </p>
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
