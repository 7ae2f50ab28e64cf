import { graphql, useStaticQuery } from 'gatsby';

/** The words around articles and in their tables. */
export const useBlogWords = () =>
  useStaticQuery<QueryData<Queries.BlogWordsQuery>>(graphql`
    query BlogWords {
      contentBlog {
        path
        labels { by published updated readingTime featured tags back contents }
        tables {
          plan livenessDetection imageAnalysis perExtra perMinute none group used included
          overage rate cost base total
        }
      }
    }
  `).contentBlog;
