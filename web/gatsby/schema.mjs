/** Every type that content and contract may hold. Nothing is inferred: a field not named here does not exist. */

const TYPES = `
  type ContractBrand implements Node @dontInfer {
    name: String!
    slug: String!
  }

  type ContractProduct implements Node @dontInfer {
    productId: String!
    position: Int!
    label: String!
    description: String!
  }

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
  }

  type ContentSiteFooter @dontInfer {
    tagline: String!
    copyright: String!
  }

  type ContentSiteThemes @dontInfer {
    label: String!
    choices: [ThemeChoice!]!
  }

  type Mdx implements Node @dontInfer {
    frontmatter: Frontmatter!
  }

  type Frontmatter @dontInfer {
    path: String!
    template: String!
    title: String!
    description: String!
    keywords: [String!]
    noindex: Boolean
    hero: Hero
    products: SectionIntro
    quickStart: SectionIntro
  }

  type Hero @dontInfer {
    heading: String!
    lead: String!
    actions: [Link!]!
    drawing: String!
  }

  type SectionIntro @dontInfer {
    heading: String!
    lead: String!
  }
`;

/** @param {import('gatsby').CreateSchemaCustomizationArgs} api */
export function createSchemaCustomization({ actions }) {
  actions.createTypes(TYPES);
}
