/** Pages: running text, and those whose words have a structure of their own. */
export const pages = `
  # A page of content/ that is JSON: its words have a structure, which its template shows. The file's folder names its
  # type: content/legal/x.json is of type ContentLegal, which implements this and Node.
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
