/** Words that readers other than people come by: feeds, llms.txt; and those of the search. */
export const feeds = `
  type ContentFeeds implements Node @dontInfer { rss: RssWords!, llms: LlmsWords! }
  type RssWords @dontInfer { title: String! @filled, description: String! @filled }

  type LlmsWords @dontInfer {
    summary: String!, notes: String!, docs: String!, api: String!, openapi: String!, pages: String!
  }

  type ContentSearch implements Node @dontInfer {
    button: String!
    # Where the button leads without JavaScript.
    fallback: String!
    title: String!, label: String!, close: String!, hint: String!, nothing: String!, failed: String!
    groups: [SearchGroup!]!
  }

  # Results are shown in this order. A page belongs to the first group that its path begins with.
  type SearchGroup @dontInfer { label: String!, id: String!, path: String }
  type Frontmatter @dontInfer { publishedDate: Date @dateformat }
`;
