/** The texts that all pages share, and the fields of every page. */
import { PAGE } from './page.mjs';

export const site = `
  # Set by gatsby-config.mjs from the environment.
  type SiteSiteMetadata { siteUrl: String!, analyticsUrl: String, repositoryUrl: String }
  type Link @dontInfer { label: String!, to: String! }

  type NamedLabel @dontInfer { name: String!, label: String! }

  type ContentSite implements Node @dontInfer {
    titleTemplate: String!, skipLink: String!, homeLink: String! @filled, footer: ContentSiteFooter!
    themes: ContentSiteChoice!, modes: ContentSiteChoice!, planInquiry: ContentSitePlanInquiry!
    contact: ContentSiteContact!, console: ContentSiteConsole!
  }

  type ContentSiteFooter @dontInfer {
    label: String!, tagline: String!, copyright: String! @filled, cookieSettings: String!
  }

  type ContentSiteChoice @dontInfer { label: String!, choices: [NamedLabel!]! }
  type ContentSitePlanInquiry @dontInfer { subject: String!, body: String! @filled }
  type ContentSiteContact @dontInfer { support: String!, sales: String! }

  type ContentSiteConsole @dontInfer {
    home: String!, keys: String!, signUp: String!, billing: String!, source: String!, campaign: String!
  }

  # A JSON page of content/. The file's folder names its
  # type: content/legal/x.json has the type ContentLegal, which implements this and Node.
  interface ContentPage implements Node {
    id: ID!, path: String!, template: String!, layout: String, title: String!, description: String!
    keywords: [String!], noindex: Boolean
  }

  type SectionIntro @dontInfer { heading: String!, lead: String! @filled }

  type ContentFeeds implements Node @dontInfer { rss: RssTexts!, changelog: RssTexts!, llms: LlmsTexts! }
  type RssTexts @dontInfer { title: String! @filled, description: String! @filled }

  type LlmsTexts @dontInfer {
    summary: String!, notes: String!, docs: String!, full: String!, api: String!, openapi: String!, pages: String!
  }

  type ContentNotFound implements Node & ContentPage @dontInfer {
    ${PAGE}, heading: String!, lead: String!, links: [DescribedLink!]!
  }

  type DescribedLink @dontInfer { label: String!, to: String!, text: String! }

  type ContentNavigation implements Node @dontInfer {
    label: String!, links: [Link!]!, menu: MenuToggle!, console: ConsoleLink!, signUp: SignUpLink!
    footer: [LinkGroup!]!
  }

  type ConsoleLink @dontInfer { guest: String!, member: String! }

  type MenuToggle @dontInfer { open: String!, close: String! }

  type SignUpLink @dontInfer { label: String!, plan: String! }

  type LinkGroup @dontInfer { label: String!, links: [Link!]! }

  type ContentCode implements Node @dontInfer {
    tabs: String!, copy: String!, copied: String!, copyFailed: String!
  }

  type ContentConsent implements Node @dontInfer {
    banner: ConsentBanner!, dialog: ConsentDialog!, necessaryOnly: String!, signal: String!
    categories: [ConsentCategory!]!
  }

  type ConsentBanner @dontInfer {
    label: String!, text: String!, policies: [Link!]!, acceptAll: String!, preferences: String!
  }

  type ConsentDialog @dontInfer {
    heading: String!, lead: String!, close: String!, alwaysActive: String!, details: String!
    confirm: String!
  }

  type ConsentCategory @dontInfer {
    name: String!, label: String!, text: String!, retention: String!, items: [ConsentItem!]!
  }

  type ConsentItem @dontInfer { name: String!, purpose: String!, kept: String! }

  type ContentSearch implements Node @dontInfer {
    button: String!
    # The target of the button without JavaScript.
    fallback: String!
    title: String!, label: String!, close: String!, hint: String!, nothing: String!, failed: String!
    # Follows the message that there are no results.
    ask: Link!
    groups: [SearchGroup!]!
    synonyms: [SearchSynonyms!]!
  }

  # Terms that readers search for, and what our pages call them.
  type SearchSynonyms @dontInfer { terms: [String!]!, meanings: [String!]! }

  # A page belongs to the first group whose path is a prefix of its own.
  type SearchGroup @dontInfer { label: String!, id: String!, path: String }
`;
