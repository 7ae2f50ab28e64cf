import { graphql, useStaticQuery } from 'gatsby';
import type { Link } from '../use-site';

/** The documentation's order, the words around its pages, and where they are edited. */
export function useDocs() {
  const { contentDocs, contentSite } = useStaticQuery<QueryData<Queries.DocsQuery>>(graphql`
    query Docs {
      contentDocs {
        label menu toc previous next lastUpdated edit
        back { label to }
        groups { label links { label to } }
      }
      contentSite { repository }
    }
  `);
  return { ...contentDocs, repository: contentSite.repository };
}

/** The pages in their order. A group of links into one page is that page, under the group's name. */
export function pagesOf(groups: ReturnType<typeof useDocs>['groups']): readonly Link[] {
  return groups.flatMap(({ label, links }) => {
    const pages = new Set(links.map(({ to }) => to.split('#')[0] as string));
    return pages.size < links.length ? [...pages].map((to) => ({ label, to })) : links;
  });
}
