import { graphql, useStaticQuery } from 'gatsby';
import type { Link } from '../use-site';

interface Docs {
  label: string;
  menu: string;
  toc: string;
  previous: string;
  next: string;
  lastUpdated: string;
  edit: string;
  back: Link;
  groups: { label: string; links: Link[] }[];
}

interface DocsData {
  contentDocs: Docs;
  contentSite: { repository: string | null };
}

/** The documentation's order, the words around its pages, and where they are edited. */
export function useDocs(): Docs & { repository: string | null } {
  const { contentDocs, contentSite } = useStaticQuery<DocsData>(graphql`
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
export function pagesOf(groups: Docs['groups']): Link[] {
  return groups.flatMap(({ label, links }) => {
    const pages = new Set(links.map(({ to }) => to.split('#')[0] as string));
    return pages.size < links.length ? [...pages].map((to) => ({ label, to })) : links;
  });
}
