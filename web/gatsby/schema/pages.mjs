/** Pages of running text, and pages with structured words. */
export const pages = `
  # A JSON page of content/. The file's folder names its
  # type: content/legal/x.json has the type ContentLegal, which implements this and Node.
  interface ContentPage implements Node {
    id: ID!, path: String!, template: String!, layout: String, title: String!, description: String!
    keywords: [String!], noindex: Boolean
  }

  type Mdx implements Node @dontInfer { frontmatter: Frontmatter! }

  type Frontmatter @dontInfer {
    path: String!, template: String!, layout: String, title: String! @filled
    description: String! @filled, keywords: [String!], noindex: Boolean
  }

  type SectionIntro @dontInfer { heading: String!, lead: String! @filled }
`;
