import { graphql, useStaticQuery } from 'gatsby';

export interface Link {
  label: string;
  to: string;
}

interface SiteData {
  contractBrand: { name: string };
  contentNavigation: { label: string; links: Link[] };
  contentSite: {
    titleTemplate: string;
    skipLink: string;
    homeLink: string;
    footer: { tagline: string; copyright: string };
    themes: { label: string; choices: { name: string; label: string }[] };
    contact: { support: string; sales: string };
    console: { home: string; keys: string; signUp: string; source: string; campaign: string };
  };
  site: { siteMetadata: { siteUrl: string } };
}

/** The words that no single page owns. {brand} in them is already filled in. */
export function useSite() {
  const { contractBrand, contentNavigation, contentSite, site } = useStaticQuery<SiteData>(graphql`
    query Site {
      contractBrand {
        name
      }
      contentNavigation {
        label
        links {
          label
          to
        }
      }
      contentSite {
        titleTemplate
        skipLink
        homeLink
        footer {
          tagline
          copyright
        }
        themes {
          label
          choices {
            name
            label
          }
        }
        contact {
          support
          sales
        }
        console {
          home
          keys
          signUp
          source
          campaign
        }
      }
      site {
        siteMetadata {
          siteUrl
        }
      }
    }
  `);
  const brand = contractBrand.name;
  const fill = (text: string) => text.split('{brand}').join(brand);
  return {
    brand,
    siteUrl: site.siteMetadata.siteUrl,
    navigation: contentNavigation,
    skipLink: contentSite.skipLink,
    homeLink: fill(contentSite.homeLink),
    tagline: contentSite.footer.tagline,
    copyright: fill(contentSite.footer.copyright),
    themes: contentSite.themes,
    contact: contentSite.contact,
    console: contentSite.console,
    fill,
    /** The text of the browser's tab. */
    titleOf: (title: string) => fill(contentSite.titleTemplate).replace('{title}', () => title),
  };
}
