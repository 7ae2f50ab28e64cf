/** Words that every page shares. */
export const site = `
  type Link @dontInfer {
    label: String!
    to: String!
  }

  type ContentNavigation implements Node @dontInfer {
    label: String!
    links: [Link!]!
  }

  type ThemeChoice @dontInfer {
    name: String!
    label: String!
  }

  type ContentSite implements Node @dontInfer {
    titleTemplate: String!
    skipLink: String!
    homeLink: String!
    footer: ContentSiteFooter!
    themes: ContentSiteThemes!
    contact: ContentSiteContact!
    console: ContentSiteConsole!
    # Where the source is kept; without it no page offers to be edited.
    repository: String
  }

  type ContentSiteFooter @dontInfer {
    tagline: String!
    copyright: String!
  }

  type ContentSiteThemes @dontInfer {
    label: String!
    choices: [ThemeChoice!]!
  }

  type ContentSiteContact @dontInfer {
    support: String!
    sales: String!
  }

  type ContentSiteConsole @dontInfer {
    home: String!
    keys: String!
    signUp: String!
    source: String!
    campaign: String!
  }
`;
