/** Text pages: documentation, blog, legal texts, support. */
import { PAGE } from './page.mjs';

export const texts = `
  # content/docs/sidebar.json: the order of the documentation and the texts around its pages.
  type ContentDocs implements Node @dontInfer {
    label: String!, menu: String!, toc: String!, previous: String!, next: String!
    lastUpdated: String!, edit: String!, back: Link!, groups: [LinkGroup!]!, markdown: DocsMarkdown!
    versions: DocsVersionTexts!
  }

  type DocsVersionTexts @dontInfer { product: String!, unreleased: String!, api: String! }

  # CHANGELOG.md, by gatsby/changelog.mjs, newest first.
  type ChangelogRelease implements Node @dontInfer {
    position: Int!, version: String!, anchor: String!, groups: [ChangelogGroup!]!
    # Null before the release.
    date: Date @dateformat
  }

  type ChangelogGroup @dontInfer { label: String!, anchor: String!, html: String! }

  # The versions that the documentation describes: of the product, and the newest of the API.
  type DocsVersions implements Node @dontInfer {
    product: String!, isReleased: Boolean!, anchor: String!, api: String!
  }

  type DocsMarkdown @dontInfer { copy: String!, copied: String!, failed: String!, view: String! }

  # The source file of a page and its last change, by gatsby/sources.mjs.
  type PageSource @dontInfer { path: String!, lastUpdated: Date! @dateformat }
  type Mdx implements Node @dontInfer { body: String!, frontmatter: Frontmatter! }

  # A figure for running text, by gatsby/facts.mjs.
  type Fact implements Node @dontInfer { name: String!, value: String! }

  type DocsCard @dontInfer { title: String!, text: String! @filled, to: String!, drawing: String! }

  type DocsFiles @dontInfer { heading: String!, lead: String!, links: [DescribedLink!]! }

  type Frontmatter @dontInfer {
    ${PAGE}
    # Further addresses of the page.
    aliases: [String!]
    # Addresses that the page's script renders itself.
    matchPath: String
    # The file with the page's text, if it is not the page itself.
    sourceFile: String
    lastUpdated: Date @dateformat
    cards: [DocsCard!], all: SectionIntro, files: DocsFiles, help: SectionIntro
    category: String
    # Minutes.
    readingTime: Int
    featured: Boolean
    # Name of a drawing of src/components/drawings/article-drawing.tsx.
    thumbnail: String
    author: Author, tags: [String!], publishedDate: Date @dateformat
  }

  type Author @dontInfer { name: String! }

  # content/blog/index.json: the texts around articles and their list.
  type ContentBlog implements Node & ContentPage @dontInfer {
    ${PAGE}, lead: String! @filled, labels: BlogLabels!, tables: BlogTables!
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
    ${PAGE}, lead: String! @filled, faq: SupportCard!
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

  # Braces that the page's script fills are not figures of the contract: only some texts are filled in here.
  type ContentStatus implements Node & ContentPage @dontInfer {
    ${PAGE}, lead: String!, noScript: String!, loading: String!, unreachable: StatusText!
    allAvailable: String!, someUnavailable: String!, asOf: String!, components: [StatusComponent!]!
    available: String!, unavailable: String!, bar: String!, oldest: String!, newest: String!
    share: String!, tooLittle: String!, noMeasurement: String!, noRecords: String!
    legend: StatusLegend!, table: StatusTable!, incidents: StatusIncidents!, how: StatusHow!
  }

  type StatusIncidents @dontInfer {
    now: String!, current: String!, planned: String!, past: String!, none: String!, unknown: String!
    stale: String!, affects: String!, since: String!, range: String!, feed: String!
    statuses: IncidentStatuses!, impacts: IncidentImpacts!
  }

  # By the names of incident-status.json and incident-impact.json.
  type IncidentStatuses @dontInfer {
    scheduled: String!, inProgress: String!, investigating: String!, identified: String!
    monitoring: String!, resolved: String!
  }

  type IncidentImpacts @dontInfer {
    none: String!, degraded: String!, partialOutage: String!, outage: String!
  }

  type StatusText @dontInfer { heading: String!, text: String! }
  # name: of service-component.json.
  type StatusComponent @dontInfer { name: String!, label: String!, text: String! }

  type StatusLegend @dontInfer {
    fine: String!, gaps: String!, partial: String!, outage: String!, none: String!
  }

  type StatusTable @dontInfer {
    summary: String!, label: String!, day: String!, available: String!, partial: String!
    unavailable: String!, missing: String!
  }

  type StatusHow @dontInfer { heading: String!, text: [String!]! @filled, link: Link! }

  type ContentFaq implements Node & ContentPage @dontInfer {
    ${PAGE}, lead: String! @filled, back: Link!, more: SupportCard!
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
