import { graphql, useStaticQuery } from 'gatsby';
import { fill } from '../fill';

export interface Link {
  label: string;
  to: string;
}

export interface LinkGroup {
  label: string;
  links: readonly Link[];
}

/** The texts that all pages share. */
export function useSite() {
  const { contractBrand, contentNavigation, contentSite, site } = useStaticQuery<
    QueryData<Queries.SiteQuery>
  >(graphql`
    query Site {
      contractBrand { name }
      contentNavigation {
        label
        links { label to }
        menu { open close }
        console { guest member }
        signUp { label plan }
        footer { label links { label to } }
      }
      contentSite {
        titleTemplate skipLink homeLink
        footer { label tagline copyright cookieSettings }
        themes { label choices { name label } }
        modes { label choices { name label } }
        contact { support sales }
        console { home keys signUp billing source campaign }
      }
      site { siteMetadata { siteUrl analyticsUrl repositoryUrl } }
    }
  `);
  const brand = contractBrand.name;
  return {
    brand,
    ...site.siteMetadata,
    navigation: contentNavigation,
    skipLink: contentSite.skipLink,
    homeLink: contentSite.homeLink,
    footer: contentSite.footer,
    themes: contentSite.themes,
    modes: contentSite.modes,
    contact: contentSite.contact,
    console: contentSite.console,
    /** The document title of a page. */
    titleOf: (title: string) => fill(contentSite.titleTemplate, { brand, title }),
  };
}
