/** Writes /llms.txt, an overview of the site for language models (llmstxt.org). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * @param {string} publicDir
 * @param {object} options
 * @param {import('./content.mjs').Content} options.content
 * @param {import('./built-pages.mjs').BuiltPage[]} options.pages
 * @param {{ path: string, title: string, description: string }[]} options.twins
 */
export async function writeLlms(publicDir, { content, pages, twins }) {
  const { siteUrl, brand, fill, titles } = content;
  const words = content.feeds.llms;
  const say = (/** @type {string} */ name) => fill(words[name] ?? '');
  const twinned = new Set(twins.map(({ path }) => path));
  const others = pages
    .filter(({ path, indexed }) => indexed && !twinned.has(path))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const link = (/** @type {string} */ title, /** @type {string} */ to, /** @type {string} */ text) =>
    `- [${title}](${siteUrl}${to}): ${text}`;
  const lines = [
    `# ${brand}`,
    `> ${say('summary')}`,
    say('notes'),
    `## ${say('docs')}`,
    twins.map(({ path, title, description }) => link(title, `${path}.md`, description)).join('\n'),
    `## ${say('api')}`,
    link('openapi.json', '/openapi.json', say('openapi')),
    `## ${say('pages')}`,
    others
      .map(({ path, title, description }) => link(titles.get(path) ?? title, path, description))
      .join('\n'),
  ];
  await writeFile(join(publicDir, 'llms.txt'), `${lines.join('\n\n')}\n`);
}
