/** What Gatsby reads: the words in content/, and the settings of a build that fetches nothing. */
import rehypeAutolinkHeadings from 'rehype-autolink-headings';
import rehypeSlug from 'rehype-slug';
import remarkGfm from 'remark-gfm';
import { feed, sitemap } from './gatsby/feeds.mjs';
import { fillFacts } from './gatsby/fill-facts.mjs';
import { headingAnchors } from './gatsby/heading-anchors.mjs';
import { highlightCode } from './gatsby/highlight.mjs';
import { precompress } from './gatsby/precompress.mjs';
import { GENERATED } from './gatsby/query-types.mjs';

/** The address that visitors see: canonical links start with it. */
const siteUrl = readAddress('SITE_URL', process.env.SITE_URL) ?? 'http://127.0.0.1:8000';
/** Where events of consenting visitors go. Without it the site sends none. */
const analyticsUrl = readAddress('ANALYTICS_URL', process.env.ANALYTICS_URL);

/** @type {import('gatsby').GatsbyConfig} */
const config = {
  jsxRuntime: 'automatic',
  trailingSlash: 'never',
  siteMetadata: { siteUrl, analyticsUrl },
  // With no adapter named here, every build downloads a list of adapters and runs it.
  adapter: precompress(),
  graphqlTypegen: { generateOnBuild: true, typesOutputPath: GENERATED },
  plugins: [
    {
      resolve: 'gatsby-plugin-mdx',
      options: {
        mdxOptions: {
          remarkPlugins: [remarkGfm, fillFacts],
          rehypePlugins: [rehypeSlug, [rehypeAutolinkHeadings, headingAnchors], highlightCode],
        },
      },
    },
    { resolve: 'gatsby-source-filesystem', options: { name: 'content', path: 'content' } },
    {
      resolve: 'gatsby-transformer-json',
      options: {
        typeName: nameType,
      },
    },
    sitemap,
    feed,
  ],
};

export default config;

/**
 * content/site.json is of type ContentSite; content/products/face-matching.json is of type ContentProducts, by its folder.
 * @param {{ node: { name: string, relativeDirectory: string } }} file
 */
function nameType({ node }) {
  const name = node.relativeDirectory.split('/')[0] || node.name;
  return `Content${name.replace(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase())}`;
}

/**
 * An address from the environment, without a slash at its end.
 * @param {string} name
 * @param {string | undefined} value
 */
function readAddress(name, value) {
  if (!value) return undefined;
  if (!URL.canParse(value) || !/^https?:/.test(value)) {
    throw new Error(`${name} must be an http or https address, not "${value}".`);
  }
  return value.replace(/\/+$/, '');
}
