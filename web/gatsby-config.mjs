/** What Gatsby reads: the words in content/, and the settings of a build that fetches nothing. */
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
    'gatsby-plugin-mdx',
    { resolve: 'gatsby-source-filesystem', options: { name: 'content', path: 'content' } },
    {
      resolve: 'gatsby-transformer-json',
      options: {
        /** content/site.json becomes ContentSite, and so on. */
        typeName: (/** @type {{ node: { name: string } }} */ { node }) =>
          `Content${node.name[0]?.toUpperCase()}${node.name.slice(1)}`,
      },
    },
  ],
};

export default config;

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
