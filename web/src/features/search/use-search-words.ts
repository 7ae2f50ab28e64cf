import { graphql, useStaticQuery } from 'gatsby';

export type SearchWords = ReturnType<typeof useSearchWords>;

export function useSearchWords() {
  const { contentSearch } = useStaticQuery<QueryData<Queries.SearchWordsQuery>>(graphql`
    query SearchWords {
      contentSearch { button fallback title label close hint nothing failed groups { label id } }
    }
  `);
  return contentSearch;
}
