/** The words that all pages share. */
export const site = `
  # Set by gatsby-config.mjs from the environment.
  type SiteSiteMetadata { siteUrl: String!, analyticsUrl: String }
  type Link @dontInfer { label: String!, to: String! }

  type ContentNavigation implements Node @dontInfer {
    label: String!, links: [Link!]!, menu: MenuToggle!, signUp: SignUpLink!, footer: [LinkGroup!]!
  }

  type MenuToggle @dontInfer { open: String!, close: String! }
  type SignUpLink @dontInfer { label: String!, plan: String! }
  type LinkGroup @dontInfer { label: String!, links: [Link!]! }
  type NamedLabel @dontInfer { name: String!, label: String! }

  type ContentSite implements Node @dontInfer {
    titleTemplate: String!, skipLink: String!, homeLink: String! @filled, footer: ContentSiteFooter!
    themes: ContentSiteChoice!, modes: ContentSiteChoice!, planInquiry: ContentSitePlanInquiry!
    contact: ContentSiteContact!, console: ContentSiteConsole!
    # The address of the source repository; without it pages have no edit link.
    repository: String
  }

  type ContentSiteFooter @dontInfer {
    label: String!, tagline: String!, copyright: String! @filled, cookieSettings: String!
  }

  type ContentSiteChoice @dontInfer { label: String!, choices: [NamedLabel!]! }
  type ContentSitePlanInquiry @dontInfer { subject: String!, body: String! @filled }
  type ContentSiteContact @dontInfer { support: String!, sales: String! }

  type ContentSiteConsole @dontInfer {
    home: String!, keys: String!, signUp: String!, source: String!, campaign: String!
  }
`;
