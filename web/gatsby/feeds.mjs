/** The configuration of the sitemap and of the blog's feed. */

/** @typedef {{ path: string, pageContext: { noindex?: boolean | null, alias?: string } }} Page */

/** Excludes aliases and pages that must not be indexed. */
export const sitemap = {
  resolve: 'gatsby-plugin-sitemap',
  options: {
    query: `{
      site { siteMetadata { siteUrl } }
      allSitePage { nodes { path pageContext } }
    }`,
    resolvePages: (/** @type {{ allSitePage: { nodes: Page[] } }} */ { allSitePage }) =>
      allSitePage.nodes.filter(
        ({ path, pageContext: { noindex, alias } }) => !noindex && !alias && path !== '/404.html',
      ),
    serialize: (/** @type {{ path: string }} */ { path }) => ({ url: path }),
  },
};

export const feed = {
  resolve: 'gatsby-plugin-feed',
  options: {
    query: `{
      site { siteMetadata { siteUrl } }
      contractBrand { name }
      contentFeeds { rss { title description } }
    }`,
    setup: (/** @type {any} */ { query, ...rest }) => {
      const { site, contractBrand, contentFeeds } = query;
      return {
        ...rest,
        title: contentFeeds.rss.title,
        description: contentFeeds.rss.description,
        site_url: `${site.siteMetadata.siteUrl}/blog`,
        feed_url: `${site.siteMetadata.siteUrl}/rss.xml`,
        generator: contractBrand.name,
      };
    },
    feeds: [
      {
        output: '/rss.xml',
        title: 'RSS',
        query: `{
          allMdx(
            filter: { frontmatter: { template: { eq: "article" } } }
            sort: { frontmatter: { publishedDate: DESC } }
          ) { nodes { frontmatter { path title description publishedDate } } }
        }`,
        serialize: (/** @type {any} */ { query: { site, allMdx } }) =>
          allMdx.nodes.map(
            (/** @type {any} */ { frontmatter: { path, title, description, publishedDate } }) => ({
              title,
              description,
              date: publishedDate,
              url: site.siteMetadata.siteUrl + path,
              guid: site.siteMetadata.siteUrl + path,
            }),
          ),
      },
    ],
  },
};
