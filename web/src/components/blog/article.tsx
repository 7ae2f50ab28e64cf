/** An article in the list, and its parts on its own page. */
import { Link } from 'gatsby';
import blog from '../../../content/blog/index.json';
import { ArticleDrawing } from '../drawings/article-drawing';
import * as styles from './article.module.css';

const { labels } = blog;

/** Other pages lack these fields of the frontmatter, so the generated types allow null. */
type Fields = Queries.ArticleFragment &
  Pick<Queries.TextMetaFragment, 'title' | 'description'> & { path: string };

export type ArticleSummary = QueryData<Omit<Fields, 'featured'>> & Pick<Fields, 'featured'>;

export function ArticleCard(article: ArticleSummary) {
  return (
    <article className={styles.card}>
      <div className={styles.drawing}>
        <ArticleDrawing name={article.thumbnail} />
      </div>
      <div>
        <Kind {...article} />
        <h2>
          <Link className="card-link" to={article.path}>
            {article.title}
          </Link>
        </h2>
        <p className={styles.description}>{article.description}</p>
        <Byline {...article} />
        <Tags {...article} />
      </div>
    </article>
  );
}

export function ArticleHead(article: ArticleSummary) {
  return (
    <header className={styles.head}>
      <div>
        <Kind {...article} featured={false} />
        <h1>{article.title}</h1>
        <p className={styles.lead}>{article.description}</p>
        <Byline {...article} />
      </div>
      <div className={styles.decoration}>
        <ArticleDrawing name={article.thumbnail} />
      </div>
    </header>
  );
}

export function Tags({ tags }: ArticleSummary) {
  return (
    <ul className={styles.tags} aria-label={labels.tags}>
      {tags.map((tag) => (
        <li key={tag}>{tag}</li>
      ))}
    </ul>
  );
}

function Kind({ category, readingTime, featured }: ArticleSummary) {
  return (
    <p className={styles.kind}>
      <span className={styles.category}>{category}</span>
      <span>{labels.readingTime.replace('{minutes}', String(readingTime))}</span>
      {featured && <span>{labels.featured}</span>}
    </p>
  );
}

function Byline({ author, published, publishedDate, updated, lastUpdated }: ArticleSummary) {
  return (
    <p className={styles.byline}>
      <span>
        {labels.by} {author.name}
      </span>
      <span>
        {labels.published} <time dateTime={publishedDate}>{published}</time>
      </span>
      <span>
        {labels.updated} <time dateTime={lastUpdated}>{updated}</time>
      </span>
    </p>
  );
}
