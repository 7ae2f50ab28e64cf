/** An article, as lists and its own page show it. Frontmatter of other pages lacks these fields, so their types allow null. */
type Fields = Queries.ArticleFragment &
  Pick<Queries.TextMetaFragment, 'title' | 'description'> & { path: string };

export type ArticleSummary = QueryData<Omit<Fields, 'featured'>> & Pick<Fields, 'featured'>;
