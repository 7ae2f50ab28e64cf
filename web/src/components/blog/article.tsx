/** An article in the list, and its parts on its own page. */
import { graphql, Link, useStaticQuery } from 'gatsby';
import { ArticleDrawing } from '../drawings/article-drawing';
import * as styles from './article.module.css';

/** Other pages lack these fields of the frontmatter, so the generated types allow null. */
type Fields = Queries.ArticleFragment &
  Pick<Queries.TextMetaFragment, 'title' | 'description'> & { path: string };

export type ArticleSummary = QueryData<Omit<Fields, 'featured'>> & Pick<Fields, 'featured'>;

/** The address of the list of articles, and the texts around them. */
export const useBlog = () =>
  useStaticQuery<QueryData<Queries.BlogQuery>>(graphql`
    query Blog {
      contentBlog { path labels { by published updated readingTime featured tags back contents } }
    }
  `).contentBlog;

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
    <ul className={styles.tags} aria-label={useBlog().labels.tags}>
      {tags.map((tag) => (
        <li key={tag}>{tag}</li>
      ))}
    </ul>
  );
}

function Kind({ category, readingTime, featured }: ArticleSummary) {
  const { labels } = useBlog();
  return (
    <p className={styles.kind} data-tools>
      <span className={styles.category}>{category}</span>
      <span>{labels.readingTime.replace('{minutes}', String(readingTime))}</span>
      {featured && <span>{labels.featured}</span>}
    </p>
  );
}

function Byline({ author, published, publishedDate, updated, lastUpdated }: ArticleSummary) {
  const { labels } = useBlog();
  return (
    <p className={styles.byline} data-tools>
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
