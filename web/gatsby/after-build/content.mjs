/** The data that the steps after a build query through GraphQL. */
import { fillFigures } from '../figures.mjs';

/**
 * @typedef {object} SitePage
 * @property {string} path
 * @property {{ noindex?: boolean | null, alias?: string }} pageContext
 *
 * @typedef {{ title: string, text: string, to: string }} Card
 * @typedef {{ label: string, to: string }} Link
 *
 * @typedef {{ heading: string, lead: string }} Intro
 *
 * @typedef {object} Hub the lists of the documentation's start page; null on other pages
 * @property {Card[] | null} cards
 * @property {Intro | null} all
 * @property {Intro & { links: (Link & { text: string })[] } | null} files
 *
 * @typedef {object} DocsSource
 * @property {string} body MDX without its frontmatter
 * @property {{ path: string, title: string, description: string } & Hub} frontmatter
 *
 * @typedef {{ terms: string[], meanings: string[] }} Synonyms terms that readers search for, and what our pages call them
 *
 * @typedef {object} Content
 * @property {string} siteUrl without a trailing slash
 * @property {string | null} repositoryUrl without a trailing slash
 * @property {string} brand
 * @property {(text: string) => string} fill replaces brand and facts in a text
 * @property {Record<string, string>} facts
 * @property {import('../../src/components/mdx/named-address.mjs').SiteAddresses} site
 * @property {ReadonlyMap<string, string>} titles from the content, by path
 * @property {{ llms: Record<string, string> }} feeds
 * @property {{ groups: { id: string, path: string | null }[], synonyms: Synonyms[] }} search
 * @property {SitePage[]} pages
 * @property {DocsSource[]} docs
 * @property {{ code: string, title: string, message: string, advice: string }[]} errors
 * @property {{ method: string, path: string, summary: string, description: string, anchor: string }[]} operations
 * @property {Record<string, string>} anchors of the reference, with their addresses
 * @property {import('../models.mjs').ModelCards} modelCards
 * @property {import('../downloads/index.mjs').ListedDownload[]} downloads
 * @property {{ label: string, links: Link[] }[]} groups of the sidebar
 */

const QUERY = `
  {
    site { siteMetadata { siteUrl repositoryUrl } }
    contractBrand { name }
    allFact { nodes { name value } }
    contentSite {
      contact { support sales }
      console { home keys signUp source campaign }
    }
    contentFeeds { llms { summary notes docs full api openapi pages } }
    contentSearch { groups { id path } synonyms { terms meanings } }
    contentDocs { groups { label links { label to } } }
    allSitePage { nodes { path pageContext } }
    allContentPage { nodes { path title } }
    texts: allMdx { nodes { frontmatter { path title } } }
    allMdx(filter: { frontmatter: { template: { in: ["docs", "docs-hub", "reference", "changelog"] } } }) {
      nodes {
        body
        frontmatter {
          path title description
          cards { title text to }
          all { heading lead }
          files { heading lead links { label to text } }
        }
      }
    }
    contentModelCards {
      labels { use outOfScope limits role trainingData license source input files figures }
      cards {
        part use outOfScope limits conditions
        models { role modelId description license trainingData source input files { path sha256 } }
        results {
          name measuredAt(formatString: "D MMMM YYYY") commit
          figures { what valueText sampleText { count low high } }
        }
      }
    }
    allContractError(sort: { position: ASC }) { nodes { code title message advice } }
    allContractOperation(sort: { position: ASC }) { nodes { method path summary description anchor } }
    allReferencePage { nodes { path contents { anchor } } }
    allDownload(sort: { position: ASC }) { nodes { file address group size sha256 } }
  }
`;

/** @param {Function} graphql @returns {Promise<Content>} */
export async function readContent(graphql) {
  const { data, errors } = await graphql(QUERY);
  if (errors)
    throw new AggregateError(errors, `The query for the content of the built pages failed: ${errors}`);
  const facts = Object.fromEntries(
    data.allFact.nodes.map((/** @type {{ name: string, value: string }} */ { name, value }) => [name, value]),
  );
  const fill = (/** @type {string} */ text) => fillFigures(text, facts);
  /** @type {{ path: string, title: string }[]} */
  const titled = [
    ...data.allContentPage.nodes,
    ...data.texts.nodes.map((/** @type {{ frontmatter: object }} */ { frontmatter }) => frontmatter),
  ];
  return {
    ...data.site.siteMetadata,
    brand: data.contractBrand.name,
    fill,
    titles: new Map(titled.map(({ path, title }) => [path, fill(title)])),
    facts,
    site: data.contentSite,
    feeds: data.contentFeeds,
    search: data.contentSearch,
    pages: data.allSitePage.nodes,
    docs: data.allMdx.nodes,
    errors: data.allContractError.nodes,
    operations: data.allContractOperation.nodes,
    anchors: Object.fromEntries(data.allReferencePage.nodes.flatMap(addressesOf)),
    modelCards: data.contentModelCards,
    downloads: data.allDownload.nodes,
    groups: data.contentDocs.groups,
  };
}

/** @param {{ path: string, contents: { anchor: string }[] }} page */
const addressesOf = ({ path, contents }) => contents.map(({ anchor }) => [anchor, `${path}#${anchor}`]);
