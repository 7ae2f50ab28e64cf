import { graphql, useStaticQuery } from 'gatsby';
import type { Link } from '../use-site';

/** The order of the documentation, the texts around its pages, and the versions that it describes. */
export function useDocs() {
  const { contentDocs, docsVersions } = useStaticQuery<QueryData<Queries.DocsQuery>>(graphql`
    query Docs {
      contentDocs {
        label menu toc previous next lastUpdated edit
        back { label to }
        versions { product unreleased api }
        markdown { copy copied failed view }
        groups { label links { label to } }
      }
      docsVersions { product isReleased anchor api }
    }
  `);
  return { ...contentDocs, described: docsVersions };
}

/** The pages in order. A group of links into one page counts as that page, with the group's label. */
export function pagesOf(groups: ReturnType<typeof useDocs>['groups']): readonly Link[] {
  return groups.flatMap(({ label, links }) => {
    const pages = new Set(links.map(({ to }) => to.split('#')[0] as string));
    return pages.size < links.length ? [...pages].map((to) => ({ label, to })) : links;
  });
}
