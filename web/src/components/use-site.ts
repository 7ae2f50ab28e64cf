import { graphql, useStaticQuery } from 'gatsby';
import { fill } from '../fill';

export interface Link {
  label: string;
  to: string;
}

export interface LinkGroup {
  label: string;
  links: Link[];
}

interface Choice {
  label: string;
  choices: { name: string; label: string }[];
}

interface SiteData {
  contractBrand: { name: string };
  contentNavigation: LinkGroup & {
    menu: { open: string; close: string };
    signUp: { label: string; plan: string };
    footer: LinkGroup[];
  };
  contentSite: {
    titleTemplate: string;
    skipLink: string;
    homeLink: string;
    footer: { label: string; tagline: string; copyright: string; cookieSettings: string };
    themes: Choice;
    modes: Choice;
    contact: { support: string; sales: string };
    console: { home: string; keys: string; signUp: string; source: string; campaign: string };
  };
  site: { siteMetadata: { siteUrl: string; analyticsUrl: string | null } };
}

/** The words that no single page owns. */
export function useSite() {
  const { contractBrand, contentNavigation, contentSite, site } = useStaticQuery<SiteData>(graphql`
    query Site {
      contractBrand { name }
      contentNavigation {
        label
        links { label to }
        menu { open close }
        signUp { label plan }
        footer { label links { label to } }
      }
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
    navigation: contentNavigation,
    skipLink: contentSite.skipLink,
    homeLink: contentSite.homeLink,
    footer: contentSite.footer,
    themes: contentSite.themes,
    modes: contentSite.modes,
    contact: contentSite.contact,
    console: contentSite.console,
    /** The text of the browser's tab. */
    titleOf: (title: string) => fill(contentSite.titleTemplate, { brand, title }),
  };
}
