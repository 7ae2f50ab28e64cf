/** Text pages: the blog, legal texts, support. */
export const words = `
  type Frontmatter @dontInfer {
    category: String
    # Minutes.
    readingTime: Int
    featured: Boolean
    # Name of a drawing of src/components/drawings/article-drawing.tsx.
    thumbnail: String
    author: Author, tags: [String!]
  }

  type Author @dontInfer { name: String! }

  # content/blog/index.json: the words around articles and their list.
  type ContentBlog implements Node & ContentPage @dontInfer {
    path: String!, template: String!, layout: String, title: String!, description: String!
    keywords: [String!], noindex: Boolean, lead: String! @filled, labels: BlogLabels!
    tables: BlogTables!
  }

  type BlogLabels @dontInfer {
    by: String!, published: String!, updated: String!, readingTime: String!, featured: String!
    tags: String!, back: String!, contents: String!
  }

  type BlogTables @dontInfer {
    plan: String!, livenessDetection: String!, imageAnalysis: String!, perExtra: String!
    perMinute: String!, none: String!, group: String!, used: String!, included: String!
    overage: String!, rate: String!, cost: String!, base: String!, total: String!
  }

  type ContentLegal implements Node @dontInfer {
    contents: String!, lastUpdated: String!, others: String!, links: [Link!]!
  }

  type ContentSupport implements Node & ContentPage @dontInfer {
    path: String!, template: String!, layout: String, title: String!, description: String!
    keywords: [String!], noindex: Boolean, lead: String! @filled, faq: SupportCard!
    contact: SupportContact!, quickLinks: SupportLinks!
  }

  type SupportCard @dontInfer { heading: String!, text: String! @filled, link: Link! }

  type SupportContact @dontInfer {
    heading: String!, text: String! @filled, addresses: [SupportAddress!]!
  }

  # name: key of an address in content/site.json, contact.
  type SupportAddress @dontInfer { name: String!, label: String! }
  type SupportLinks @dontInfer { heading: String!, links: [SupportLink!]! }
  type SupportLink @dontInfer { label: String!, text: String!, to: String! }

  type ContentFaq implements Node & ContentPage @dontInfer {
    path: String!, template: String!, layout: String, title: String!, description: String!
    keywords: [String!], noindex: Boolean, lead: String! @filled, back: Link!, more: SupportCard!
    questions: [FaqItem!]!
  }

  type FaqItem @dontInfer {
    # The fragment of its address.
    slug: String!
    question: String! @filled
    # Paragraphs.
    text: [String!]! @filled
    links: [Link!]
  }
`;
