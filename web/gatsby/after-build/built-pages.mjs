/**
 * The finished pages, read as a visitor's browser gets them: whatever template made a page, its title, its description
 * and its text are found here. Only what React writes is understood: attributes in double quotes, every < of a text
 * escaped.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * @typedef {object} Section
 * @property {string} id of the heading; empty for what stands before the first
 * @property {string} heading
 * @property {string} text
 *
 * @typedef {object} BuiltPage
 * @property {string} path
 * @property {string} title as its first heading has it
 * @property {string} documentTitle
 * @property {string} description
 * @property {Section[]} sections
 * @property {boolean} indexed
 */

/** What is no running text of a page: code is searched for by what is said about it. */
const SKIPPED = /<(script|style|svg|nav|noscript|button|form|footer|pre)\b[^>]*>[\s\S]*?<\/\1>/g;
/** The named character references that React and rehype write; all others they write as numbers. */
const NAMED = /** @type {Readonly<Record<string, string>>} */ ({
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
});

/**
 * @param {string} publicDir
 * @param {import('./content.mjs').SitePage[]} sitePages
 * @returns {Promise<BuiltPage[]>} without those that are only other addresses of one
 */
export async function readBuiltPages(publicDir, sitePages) {
  const own = sitePages.filter(({ pageContext }) => !pageContext.alias);
  return Promise.all(own.map((page) => readPage(publicDir, page)));
}

/**
 * @param {string} publicDir
 * @param {import('./content.mjs').SitePage} page
 * @returns {Promise<BuiltPage>}
 * @throws Error where the page lacks its main part, its title or its description
 */
async function readPage(publicDir, { path, pageContext }) {
  const file = path.endsWith('.html') ? path : join(path, 'index.html');
  const html = await readFile(join(publicDir, file), 'utf8');
  /** @param {string} what @param {RegExp} pattern */
  const need = (what, pattern) => {
    const found = pattern.exec(html)?.[1];
    if (!found) throw new Error(`The built page ${path} has no ${what}.`);
    return found;
  };
  const main = need('<main>', /<main\b[^>]*>([\s\S]*)<\/main>/);
  const sections = sectionsOf(main.replace(SKIPPED, ' '));
  const documentTitle = decode(need('<title>', /<title[^>]*>([^<]*)</));
  const description = decode(need('description', /<meta name="description" content="([^"]*)"/));
  return {
    path,
    title: textOf(/<h1\b[^>]*>([\s\S]*?)<\/h1>/.exec(main)?.[1] ?? '') || documentTitle,
    documentTitle,
    description,
    sections,
    indexed: !pageContext.noindex && path !== '/404.html',
  };
}

/** The text below each heading that has an id, which it may also have from the section around it. @param {string} main */
function sectionsOf(main) {
  const parts = main.split(/(?=<(?:section|div|li|article)\b[^>]*\sid="[^"]+"[^>]*>\s*<h[23]\b|<h[1-3]\b)/);
  /** @type {Section[]} */
  const sections = [{ id: '', heading: '', text: '' }];
  let outerId = '';
  for (const part of parts) {
    const match = /^<h[1-3]\b([^>]*)>([\s\S]*?)<\/h[1-3]>/.exec(part);
    const last = /** @type {Section} */ (sections.at(-1));
    if (!match) {
      outerId = /^<[a-z]+\b[^>]*\sid="([^"]+)"/.exec(part)?.[1] ?? '';
      if (!outerId) last.text += ` ${textOf(part)}`;
      continue;
    }
    const [whole, attributes = '', heading = ''] = match;
    const id = /\sid="([^"]+)"/.exec(attributes)?.[1] ?? outerId;
    outerId = '';
    const text = textOf(part.slice(whole.length));
    if (id && !whole.startsWith('<h1')) sections.push({ id, heading: textOf(heading), text });
    else last.text += ` ${whole.startsWith('<h1') ? '' : textOf(heading)} ${text}`;
  }
  return sections.map((section) => ({ ...section, text: section.text.replace(/\s+/g, ' ').trim() }));
}

/** @param {string} html */
const textOf = (html) =>
  decode(
    html.replace(/<[^>]+>/g, (tag) =>
      /^<\/?(?:span|a|em|strong|code|mark|abbr|time|b|i)\b/.test(tag) ? '' : ' ',
    ),
  )
    .replace(/\s+/g, ' ')
    .trim();

/** @param {string} text */
const decode = (text) =>
  text.replace(/&(?:#x([\da-f]+)|#(\d+)|([a-z]+));/gi, (reference, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    const character = NAMED[name];
    if (character === undefined)
      throw new Error(`A page holds a character reference not known: ${reference}.`);
    return character;
  });
