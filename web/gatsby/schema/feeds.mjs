/** The words of feeds, llms.txt and the search. */
export const feeds = `
  type ContentFeeds implements Node @dontInfer { rss: RssWords!, llms: LlmsWords! }
  type RssWords @dontInfer { title: String! @filled, description: String! @filled }

  type LlmsWords @dontInfer {
    summary: String!, notes: String!, docs: String!, api: String!, openapi: String!, pages: String!
  }

  type ContentSearch implements Node @dontInfer {
    button: String!
    # The target of the button without JavaScript.
    fallback: String!
    title: String!, label: String!, close: String!, hint: String!, nothing: String!, failed: String!
    groups: [SearchGroup!]!
  }

  # In display order. A page belongs to the first group whose path is a prefix of its own.
  type SearchGroup @dontInfer { label: String!, id: String!, path: String }
  type Frontmatter @dontInfer { publishedDate: Date @dateformat }
`;
