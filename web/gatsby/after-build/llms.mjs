/** Writes /llms.txt, an overview of the site for language models (llmstxt.org), and /llms-full.txt, the documentation. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Repeats the other pages of the reference. */
const REPEATED = '/docs/api-reference/all';
/** Programs read the whole file at once, so it must not grow without a bound. */
export const MAX_FULL_BYTES = 1024 * 1024;

/**
 * @param {string} publicDir
 * @param {object} options
 * @param {import('./content.mjs').Content} options.content
 * @param {import('./built-pages.mjs').BuiltPage[]} options.pages
 * @param {import('./twins.mjs').Twin[]} options.twins
 */
export async function writeLlms(publicDir, { content, pages, twins }) {
  const { siteUrl, brand, fill, titles } = content;
  const texts = content.feeds.llms;
  const say = (/** @type {string} */ name) => fill(texts[name] ?? '');
  const twinned = new Set(twins.map(({ path }) => path));
  const others = pages
    .filter(({ path, indexed }) => indexed && !twinned.has(path))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const link = (/** @type {string} */ title, /** @type {string} */ to, /** @type {string} */ text) =>
    `- [${title}](${siteUrl}${to}): ${text}`;
  const docs = twins.map(({ path, title, description }) => link(title, `${path}.md`, description));
  const intro = [`# ${brand}`, `> ${say('summary')}`, say('notes')];
  const lines = [
    ...intro,
    `## ${say('docs')}`,
    [link('llms-full.txt', '/llms-full.txt', say('full')), ...docs].join('\n'),
    `## ${say('api')}`,
    link('openapi.json', '/openapi.json', say('openapi')),
    `## ${say('pages')}`,
    others
      .map(({ path, title, description }) => link(titles.get(path) ?? title, path, description))
      .join('\n'),
  ];
  await writeFile(join(publicDir, 'llms.txt'), `${lines.join('\n\n')}\n`);
  await writeFile(join(publicDir, 'llms-full.txt'), fullText(intro, twins, siteUrl));
}

/**
 * All pages of the documentation, each with its address below its title.
 * @param {string[]} intro
 * @param {import('./twins.mjs').Twin[]} twins
 * @param {string} siteUrl
 * @returns {string}
 * @throws {Error} if the file would exceed its bound
 */
export function fullText(intro, twins, siteUrl) {
  const pages = twins
    .filter(({ path }) => path !== REPEATED)
    .map(({ path, text }) => text.trim().replace('\n', `\n\n${siteUrl}${path}\n`));
  const full = `${[...intro, ...pages].join('\n\n')}\n`;
  const bytes = Buffer.byteLength(full);
  if (bytes > MAX_FULL_BYTES) {
    throw new Error(`llms-full.txt would have ${bytes} bytes. Its limit is ${MAX_FULL_BYTES}.`);
  }
  return full;
}
