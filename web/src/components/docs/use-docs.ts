import { graphql, useStaticQuery } from 'gatsby';
import docs from '../../../content/docs/sidebar.json';
import type { Link } from '../use-site';

/** The order of the documentation, the words around its pages, and the address for edits. */
export const useDocs = () => ({
  ...docs,
  repository: useStaticQuery<QueryData<Queries.RepositoryQuery>>(graphql`
    query Repository {
      contentSite { repository }
    }
  `).contentSite.repository,
});

/** The pages in order. A group of links into one page counts as that page, with the group's label. */
export function pagesOf(groups: ReturnType<typeof useDocs>['groups']): readonly Link[] {
  return groups.flatMap(({ label, links }) => {
    const pages = new Set(links.map(({ to }) => to.split('#')[0] as string));
    return pages.size < links.length ? [...pages].map((to) => ({ label, to })) : links;
  });
}
