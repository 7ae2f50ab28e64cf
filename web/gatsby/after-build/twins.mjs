/** Writes each documentation page as Markdown for programs: /docs/get-started.md beside the page. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { namedAddress } from '../../src/components/mdx/named-address.mjs';
import { cloneCommand } from '../../src/repository.mjs';
import { fillApiChangelog } from '../api-changelog.mjs';
import { fillChangelog } from '../changelog.mjs';
import { fillConfiguration } from '../configuration.mjs';
import { fillDownloads } from '../downloads/index.mjs';
import { fillCodeText } from '../fill-code.mjs';
import { fillModelCards } from '../models.mjs';
import { fillQuotes } from '../quotes.mjs';
import { readReferenceMarkdown } from '../reference/markdown.mjs';
import { fillTestImages } from '../test-images.mjs';

/** A fenced block, whose braces are code. */
const FENCE = /(^ *```[\s\S]*?^ *```$)/m;

/** Each function replaces its components with Markdown. */
const FILLS = [fillQuotes, fillConfiguration, fillTestImages, fillApiChangelog, fillChangelog];

/** @typedef {{ path: string, title: string, description: string, text: string }} Twin text: the whole file */

/**
 * @param {string} publicDir
 * @param {import('./content.mjs').Content} content
 * @returns {Promise<Twin[]>} in the order of the sidebar
 */
export async function writeTwins(publicDir, content) {
  await removeTwins(publicDir);
  // The MDX of these pages contains components that render the contract.
  const reference = await readReferenceMarkdown('content', content.siteUrl);
  const twins = await Promise.all(
    content.docs.map(async ({ body, frontmatter }) => {
      const { path, title, description } = frontmatter;
      const [heading, lead] = [content.fill(title), content.fill(description)];
      const write = async () => {
        let filled = fillModelCards(fillClone(body, content.repositoryUrl), content.modelCards);
        filled = fillDownloads(filled, content.downloads);
        for (const fill of FILLS) filled = await fill(filled);
        const text = toMarkdown(`${hubLists(frontmatter, content.groups)}${filled}`, content).trim();
        return `# ${heading}\n\n${lead}\n\n${text}\n`;
      };
      const file = join(publicDir, `${path}.md`);
      await mkdir(dirname(file), { recursive: true });
      const text = reference[path] ?? (await write());
      await writeFile(file, text);
      return { path, title: heading, description: lead, text };
    }),
  );
  const order = content.groups.flatMap(({ links }) => links).map(({ to }) => to.split('#')[0]);
  const rank = ({ path = '' }) => order.indexOf(path);
  return twins.sort((a, b) => rank(a) - rank(b));
}

/** @param {string} mdx @param {string | null} repositoryUrl without it there is the text in the component */
export const fillClone = (mdx, repositoryUrl) =>
  mdx.replace(/^<CloneCommand(?: \/>\n|>\n([\s\S]*?\n)\n<\/CloneCommand>\n)\n?/gm, (_, text) =>
    repositoryUrl
      ? `\`\`\`bash\n${cloneCommand(repositoryUrl)}\n\`\`\`\n\n`
      : text
        ? `${text.trimStart()}\n`
        : '',
  );

/** Removes the twins of the last build, since their pages may be gone. @param {string} publicDir */
async function removeTwins(publicDir) {
  const files = await readdir(publicDir, { recursive: true });
  await Promise.all(files.filter((file) => file.endsWith('.md')).map((file) => rm(join(publicDir, file))));
}

/**
 * The lists of the documentation's start page. Other pages have none.
 * @param {import('./content.mjs').Hub} hub
 * @param {import('./content.mjs').Content['groups']} groups
 */
function hubLists({ cards, all, files }, groups) {
  const link = (/** @type {string} */ label, /** @type {string} */ to) => `- [${label}](${to})`;
  const pages = groups.flatMap(({ label, links }) => [
    `### ${label}`,
    links.map((page) => link(page.label, page.to)).join('\n'),
  ]);
  const parts = [
    cards?.map(({ title, text, to }) => `${link(title, to)}: ${text}`).join('\n'),
    ...(all ? [`## ${all.heading}`, ...pages] : []),
    ...(files ? [`## ${files.heading}`, files.lead] : []),
    files?.links.map(({ label, text, to }) => `${link(label, to)}: ${text}`).join('\n'),
  ];
  return parts.flatMap((part) => (part ? [`${part}\n\n`] : [])).join('');
}

/**
 * Converts MDX to Markdown: fills in facts and addresses, turns notes into quotes and drawings into their labels.
 * @param {string} body
 * @param {import('./content.mjs').Content} content
 */
function toMarkdown(body, content) {
  const plain = body
    .split(FENCE)
    .map((part, index) =>
      index % 2 ? fillCodeText(part, content.siteUrl) : withoutComponents(part, content),
    )
    .join('');
  return plain.replace(/^<Note title="([^"]*)">\n+([\s\S]*?)\n+<\/Note>$/gm, (_, title, text) =>
    [`**${title}**`, '', text.trim()].join('\n').replace(/^/gm, '> ').replace(/ +$/gm, ''),
  );
}

/** @param {string} text @param {import('./content.mjs').Content} content */
const withoutComponents = (text, { fill, site, siteUrl }) =>
  text
    .split(/(`[^`\n]*`)/)
    .map((part, index) => (index % 2 ? fillCodeText(part, siteUrl) : fill(part)))
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
