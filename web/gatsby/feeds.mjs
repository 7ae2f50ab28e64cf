/** The configuration of the sitemap, and of the feeds of the blog and of the releases. */

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

/**
 * The texts of a feed, and its address.
 * @param {'rss' | 'changelog'} name of the file and in content/feeds.json
 * @param {string} page with the same entries
 */
const channel =
  (name, page) =>
  (/** @type {any} */ { query: { site, contractBrand, contentFeeds }, ...rest }) => ({
    ...rest,
    ...contentFeeds[name],
    site_url: site.siteMetadata.siteUrl + page,
    feed_url: `${site.siteMetadata.siteUrl}/${name}.xml`,
    generator: contractBrand.name,
  });

/** @param {any} query @param {string} path */
const entryAt = ({ site }, path) => ({
  url: site.siteMetadata.siteUrl + path,
  guid: site.siteMetadata.siteUrl + path,
});

const articles = {
  output: '/rss.xml',
  title: 'RSS',
  setup: channel('rss', '/blog'),
  query: `{
    allMdx(
      filter: { frontmatter: { template: { eq: "article" } } }
      sort: { frontmatter: { publishedDate: DESC } }
    ) { nodes { frontmatter { path title description publishedDate } } }
  }`,
  serialize: (/** @type {any} */ { query }) =>
    query.allMdx.nodes.map(
      (/** @type {any} */ { frontmatter: { path, title, description, publishedDate } }) => ({
        ...entryAt(query, path),
        title,
        description,
        date: publishedDate,
      }),
    ),
};

/** A version has no entry before its release. */
const releases = {
  output: '/changelog.xml',
  title: 'Changelog',
  setup: channel('changelog', '/changelog'),
  query: `{
    allChangelogRelease(filter: { date: { ne: null } }, sort: { position: ASC }) {
      nodes { version date anchor groups { label html } }
    }
  }`,
  serialize: releaseEntries,
};

/** @param {any} options of the feed */
export function releaseEntries({ query }) {
  return query.allChangelogRelease.nodes.map((/** @type {any} */ { version, date, anchor, groups }) => ({
    ...entryAt(query, `/changelog#${anchor}`),
    title: `${query.contractBrand.name} ${version}`,
    description: groups.map((/** @type {any} */ { label, html }) => `<h3>${label}</h3>\n${html}`).join('\n'),
    date,
  }));
}

export const feed = {
  resolve: 'gatsby-plugin-feed',
  options: {
    query: `{
      site { siteMetadata { siteUrl } }
      contractBrand { name }
      contentFeeds { rss { title description } changelog { title description } }
    }`,
    feeds: [articles, releases],
  },
};
