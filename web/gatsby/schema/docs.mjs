/** The documentation: its sidebar and the frontmatter of its pages. */
export const docs = `
  # content/docs/sidebar.json: the order of the documentation and the words around its pages.
  type ContentDocs implements Node @dontInfer {
    label: String!, menu: String!, toc: String!, previous: String!, next: String!
    lastUpdated: String!, edit: String!, back: Link!, groups: [DocsGroup!]!
  }

  type DocsGroup @dontInfer { label: String!, links: [Link!]! }

  # The source file of a page and its last change, by gatsby/sources.mjs.
  type PageSource @dontInfer { path: String!, lastUpdated: Date! @dateformat }
  type Mdx implements Node @dontInfer { body: String! }

  # A figure for running text, by gatsby/facts.mjs.
  type Fact implements Node @dontInfer { name: String!, value: String! }

  type Frontmatter @dontInfer {
    # Further addresses of the page.
    aliases: [String!]
    lastUpdated: Date @dateformat, cards: [DocsCard!], help: SectionIntro
  }

  type DocsCard @dontInfer { title: String!, text: String! @filled, to: String!, drawing: String! }
`;
