import { graphql, useStaticQuery } from 'gatsby';

export type SearchTexts = ReturnType<typeof useSearchTexts>;

/** The texts of the search. */
export const useSearchTexts = () =>
  useStaticQuery<QueryData<Queries.SearchTextsQuery>>(graphql`
    query SearchTexts {
      contentSearch { button fallback title label close hint nothing failed ask { label to } groups { label id } }
    }
  `).contentSearch;
