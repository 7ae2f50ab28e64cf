/** Every type that content and contract may hold. Nothing is inferred: a field not named here does not exist. */

const TYPES = `
  type ContractBrand implements Node @dontInfer {
    name: String!
    slug: String!
  }

  type ContractLimits implements Node @dontInfer {
    liveness: ContractLivenessLimits!
  }

  type ContractLivenessLimits @dontInfer {
    typicalDurationSeconds: ContractRange!
  }

  type ContractRange @dontInfer {
    from: Int!
    to: Int!
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

  type ContentVerify implements Node @dontInfer {
    noScript: VerifyMessage!
    checkBy: String!
    askedBy: String!
    askedBySomebody: String!
    sender: String!
    leave: String!
    consent: VerifyConsent!
    capture: VerifyCapture!
    movements: [NamedText!]!
    guidance: [NamedText!]!
    trouble: [NamedText!]!
    attempts: VerifyAttempts!
    requestId: String!
    copy: VerifyCopy!
    return: VerifyReturn!
    allowCamera: [VerifyAllowCamera!]!
    messages: [VerifyMessage!]!
  }

  type NamedText @dontInfer {
    name: String!
    text: String!
  }

  type VerifyMessage @dontInfer {
    name: String
    heading: String!
    text: String!
    action: String
    secondary: String
  }

  type VerifyConsent @dontInfer {
    heading: String!
    points: [VerifyPoint!]!
    agreement: String!
    missing: String!
    action: String!
    retention: VerifyRetention!
  }

  type VerifyPoint @dontInfer {
    title: String!
    text: String!
  }

  type VerifyRetention @dontInfer {
    hours: String!
    minutes: String!
  }

  type VerifyCapture @dontInfer {
    beginning: String!
    preview: String!
    progress: String!
    step: String!
    steady: String!
  }

  type VerifyAttempts @dontInfer {
    one: String!
    other: String!
  }

  type VerifyCopy @dontInfer {
    label: String!
    action: String!
    done: String!
  }

  type VerifyReturn @dontInfer {
    action: String!
    stay: String!
    soon: String!
    close: String!
  }

  type VerifyAllowCamera @dontInfer {
    name: String!
    steps: [String!]!
  }

  type Mdx implements Node @dontInfer {
    frontmatter: Frontmatter!
  }

  type Frontmatter @dontInfer {
    path: String!
    template: String!
    layout: String
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
