/** Gatsby's configuration. The build reads content/ and fetches nothing. */
import rehypeAutolinkHeadings from 'rehype-autolink-headings';
import rehypeSlug from 'rehype-slug';
import remarkGfm from 'remark-gfm';
import { feed, sitemap } from './gatsby/feeds.mjs';
import { fillCode } from './gatsby/fill-code.mjs';
import { fillFacts } from './gatsby/fill-facts.mjs';
import { highlightCode } from './gatsby/highlight.mjs';
import { precompress } from './gatsby/precompress.mjs';
import { GENERATED } from './gatsby/query-types.mjs';
import { quoteCode } from './gatsby/quotes.mjs';

/** The public address of the site; canonical links and the commands of the documentation start with it. */
const siteUrl = readAddress('SITE_URL', process.env.SITE_URL) ?? 'http://127.0.0.1:8000';
/** The endpoint for events of consenting visitors. Without it the site sends no events. */
const analyticsUrl = readAddress('ANALYTICS_URL', process.env.ANALYTICS_URL);
/** The address of the source code. Without it, the site has no links to edit its pages and no command to clone it. */
const repositoryUrl = readAddress('REPOSITORY_URL', process.env.REPOSITORY_URL);

/**
 * Appends to headings a link to themselves for mouse users. Keyboards and screen readers skip it, because the table of
 * contents has the same links.
 * @type {import('rehype-autolink-headings').Options}
 */
const headingAnchors = {
  behavior: 'append',
  test: ['h2', 'h3'],
  properties: { className: ['heading-anchor'], ariaHidden: 'true', tabIndex: -1 },
  content: [],
};

/** @type {import('gatsby').GatsbyConfig} */
const config = {
  jsxRuntime: 'automatic',
  trailingSlash: 'never',
  siteMetadata: { siteUrl, analyticsUrl, repositoryUrl },
  // Without a named adapter, every build downloads a list of adapters and runs one.
  adapter: precompress(),
  graphqlTypegen: { generateOnBuild: true, typesOutputPath: GENERATED },
  plugins: [
    {
      resolve: 'gatsby-plugin-mdx',
      options: {
        mdxOptions: {
          remarkPlugins: [remarkGfm, fillFacts, fillCode(siteUrl), quoteCode],
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
 * content/site.json has the type ContentSite, content/products/face-matching.json the type ContentProducts.
 * @param {{ node: { name: string, relativeDirectory: string } }} file
 */
function nameType({ node }) {
  const name = node.relativeDirectory.split('/')[0] || node.name;
  return `Content${name.replace(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase())}`;
}

/** An address from the environment without a trailing slash. @param {string} name @param {string | undefined} value */
function readAddress(name, value) {
  if (!value) return undefined;
  if (!URL.canParse(value) || !/^https?:/i.test(value)) {
    throw new Error(`${name} must be an http or https address, not "${value}".`);
  }
  return value.replace(/\/+$/, '');
}
