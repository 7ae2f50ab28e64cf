import { graphql, useStaticQuery } from 'gatsby';
import navigation from '../../content/navigation.json';
import { fill } from '../fill';

export interface Link {
  label: string;
  to: string;
}

export interface LinkGroup {
  label: string;
  links: readonly Link[];
}

/** The words that all pages share. */
export function useSite() {
  const { contractBrand, contentSite, site } = useStaticQuery<QueryData<Queries.SiteQuery>>(graphql`
    query Site {
      contractBrand { name }
      contentSite {
        titleTemplate skipLink homeLink
        footer { label tagline copyright cookieSettings }
        themes { label choices { name label } }
        modes { label choices { name label } }
        contact { support sales }
        console { home keys signUp source campaign }
      }
      site { siteMetadata { siteUrl analyticsUrl } }
    }
  `);
  const brand = contractBrand.name;
  return {
    brand,
    ...site.siteMetadata,
    navigation,
    ...contentSite,
    /** The document title of a page. */
    titleOf: (title: string) => fill(contentSite.titleTemplate, { brand, title }),
  };
}
