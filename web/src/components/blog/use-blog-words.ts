import { graphql, useStaticQuery } from 'gatsby';

interface BlogWords {
  contentBlog: {
    path: string;
    labels: Record<
      'by' | 'published' | 'updated' | 'readingTime' | 'featured' | 'tags' | 'back' | 'contents',
      string
    >;
    tables: Record<
      | 'plan'
      | 'livenessDetection'
      | 'imageAnalysis'
      | 'perExtra'
      | 'perMinute'
      | 'none'
      | 'group'
      | 'used'
      | 'included'
      | 'beyond'
      | 'rate'
      | 'cost'
      | 'base'
      | 'total',
      string
    >;
  };
}

/** The words around articles, and those of the tables in them. */
export const useBlogWords = () =>
  useStaticQuery<BlogWords>(graphql`
    query BlogWords {
      contentBlog {
        path
        labels { by published updated readingTime featured tags back contents }
        tables {
          plan livenessDetection imageAnalysis perExtra perMinute none group used included beyond
          rate cost base total
        }
      }
    }
  `).contentBlog;
