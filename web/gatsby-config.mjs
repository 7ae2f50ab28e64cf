/** What Gatsby reads: the words in content/, and the settings of a build that fetches nothing. */
import rehypeAutolinkHeadings from 'rehype-autolink-headings';
import rehypeSlug from 'rehype-slug';
import remarkGfm from 'remark-gfm';
import { fillFacts } from './gatsby/fill-facts.mjs';
import { headingAnchors } from './gatsby/heading-anchors.mjs';
import { highlightCode } from './gatsby/highlight.mjs';
import { precompress } from './gatsby/precompress.mjs';

const siteUrl = readSiteUrl(process.env.SITE_URL);

/** @type {import('gatsby').GatsbyConfig} */
const config = {
  jsxRuntime: 'automatic',
  trailingSlash: 'never',
  siteMetadata: { siteUrl },
  // With no adapter named here, every build downloads a list of adapters and runs it.
  adapter: precompress(),
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
 * The address that visitors see, without a slash at its end: canonical links start with it.
 * @param {string | undefined} value
 */
function readSiteUrl(value) {
  if (!value) return 'http://127.0.0.1:8000';
  if (!URL.canParse(value) || !/^https?:/.test(value)) {
    throw new Error(`SITE_URL must be an http or https address, not "${value}".`);
  }
  return value.replace(/\/+$/, '');
}
