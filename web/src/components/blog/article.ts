/** An article. Other pages lack these fields of the frontmatter, so the generated types allow null. */
type Fields = Queries.ArticleFragment &
  Pick<Queries.TextMetaFragment, 'title' | 'description'> & { path: string };

export type ArticleSummary = QueryData<Omit<Fields, 'featured'>> & Pick<Fields, 'featured'>;
