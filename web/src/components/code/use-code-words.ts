import { graphql, useStaticQuery } from 'gatsby';

export function useCodeWords() {
  const { contentCode } = useStaticQuery<QueryData<Queries.CodeWordsQuery>>(graphql`
    query CodeWords {
      contentCode { tabs copy copied copyFailed }
    }
  `);
  return contentCode;
}
