/** Writes each documentation page as Markdown for programs: /docs/get-started.md beside the page. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { namedAddress } from '../../src/components/mdx/named-address.mjs';
import { fillApiChangelog } from '../api-changelog.mjs';
import { fillConfiguration } from '../configuration.mjs';
import { fillModelCards } from '../models.mjs';
import { fillQuotes } from '../quotes.mjs';
import { readReferenceMarkdown } from '../reference/markdown.mjs';
import { fillTestImages } from '../test-images.mjs';

/**
 * Writers for pages whose MDX contains components that render the contract.
 * @type {Record<string, () => Promise<string>>}
 */
const GENERATED = { '/docs/api-reference': () => readReferenceMarkdown('content') };

/** A fenced block, which is copied unchanged. */
const FENCE = /(^ *```[\s\S]*?^ *```$)/m;

/**
 * @param {string} publicDir
 * @param {import('./content.mjs').Content} content
 * @returns {Promise<{ path: string, title: string, description: string }[]>} in the order of the sidebar
 */
export async function writeTwins(publicDir, content) {
  await removeTwins(publicDir);
  const twins = await Promise.all(
    content.docs.map(async ({ body, frontmatter: { path, title, description, cards } }) => {
      const [heading, lead] = [content.fill(title), content.fill(description)];
      const write = async () => {
        const filled = fillModelCards(
          await fillApiChangelog(await fillTestImages(await fillConfiguration(fillQuotes(body)))),
          content.modelCards,
        );
        const text = toMarkdown(`${listOf(cards ?? [])}${filled}`, content).trim();
        return `# ${heading}\n\n${lead}\n\n${text}\n`;
      };
      const file = join(publicDir, `${path}.md`);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, await (GENERATED[path] ?? write)());
      return { path, title: heading, description: lead };
    }),
  );
  const rank = ({ path = '' }) => content.order.indexOf(path);
  return twins.sort((a, b) => rank(a) - rank(b));
}

/** Removes the twins of the last build, since their pages may be gone. @param {string} publicDir */
async function removeTwins(publicDir) {
  const files = await readdir(publicDir, { recursive: true });
  await Promise.all(files.filter((file) => file.endsWith('.md')).map((file) => rm(join(publicDir, file))));
}

/** The cards of the hub. @param {import('./content.mjs').Card[]} cards */
const listOf = (cards) => cards.map(({ title, text, to }) => `- [${title}](${to}): ${text}\n`).join('');

/**
 * Converts MDX to Markdown: fills in facts and addresses, turns notes into quotes and drawings into their labels.
 * @param {string} body
 * @param {import('./content.mjs').Content} content
 */
function toMarkdown(body, content) {
  const plain = body
    .split(FENCE)
    .map((part, index) => (index % 2 ? part : withoutComponents(part, content)))
    .join('');
  return plain.replace(/^<Note title="([^"]*)">\n+([\s\S]*?)\n+<\/Note>$/gm, (_, title, text) =>
    [`**${title}**`, '', text.trim()].join('\n').replace(/^/gm, '> ').replace(/ +$/gm, ''),
  );
}

/** @param {string} text @param {import('./content.mjs').Content} content */
const withoutComponents = (text, { fill, site, siteUrl }) =>
  text
    .split(/(`[^`\n]*`)/)
    .map((part, index) => (index % 2 ? part : fill(part)))
    .join('')
    .replace(/^<[A-Z]\w+\s[^>]*?label="([^"]*)"[\s\S]*?^\/>$/gm, '$1')
    .replace(/\]\((site:[^)]+|\/[^)]*)\)/g, (_, to) => `](${addressOf(to, site, siteUrl)})`);

/**
 * @param {string} to
 * @param {import('../../src/components/mdx/named-address.mjs').SiteAddresses} site
 * @param {string} siteUrl
 */
function addressOf(to, site, siteUrl) {
  const address = to.startsWith('site:') ? namedAddress(to, site) : to;
  return address.startsWith('/') ? siteUrl + address : address;
}
