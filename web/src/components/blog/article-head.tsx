import { ArticleDrawing } from '../drawings/article-drawing';
import type { ArticleSummary } from './article';
import * as styles from './article-head.module.css';
import { Byline } from './byline';
import { Kind } from './kind';

/** The head of an article, with byline and drawing. */
export function ArticleHead(article: ArticleSummary) {
  return (
    <header className={styles.head}>
      <div>
        <Kind category={article.category} readingTime={article.readingTime} />
        <h1>{article.title}</h1>
        <p className={styles.lead}>{article.description}</p>
        <Byline {...article} />
      </div>
      <div className={styles.drawing}>
        <ArticleDrawing name={article.thumbnail} />
      </div>
    </header>
  );
}
