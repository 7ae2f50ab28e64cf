/**
 * Reads title, description and text of the built pages from their HTML, whatever template rendered them. The reader
 * understands only what React writes: attributes in double quotes, every < of a text escaped.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * @typedef {object} Section
 * @property {string} id of the heading; empty for the text before the first heading
 * @property {string} heading
 * @property {string} text
 *
 * @typedef {object} BuiltPage
 * @property {string} path
 * @property {string} title of its first heading
 * @property {string} documentTitle
 * @property {string} description
 * @property {Section[]} sections
 * @property {boolean} indexed
 */

/**
 * Elements without running text, and those that help to use a page, such as links back, dates and buttons. Readers find code
 * by the text around it.
 */
const SKIPPED =
  /<(script|style|svg|nav|noscript|button|form|footer|pre|[a-z]+(?=[^>]*\sdata-tools))\b[^>]*>[\s\S]*?<\/\1>/g;
/** The named character references that React and rehype write. They write all others as numbers. */
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
 * @returns {Promise<BuiltPage[]>} without aliases
 */
export async function readBuiltPages(publicDir, sitePages) {
  const canonicalPages = sitePages.filter(({ pageContext }) => !pageContext.alias);
  return Promise.all(canonicalPages.map((page) => readPage(publicDir, page)));
}

/**
 * @param {string} publicDir
 * @param {import('./content.mjs').SitePage} page
 * @returns {Promise<BuiltPage>}
 * @throws Error if the page lacks its main part, title or description
 */
async function readPage(publicDir, { path, pageContext }) {
  const file = path.endsWith('.html') ? path : join(path, 'index.html');
  const html = await readFile(join(publicDir, file), 'utf8');
  /** @param {string} part @param {RegExp} pattern */
  const need = (part, pattern) => {
    const match = pattern.exec(html)?.[1];
    if (!match) throw new Error(`The built page ${path} has no ${part}.`);
    return match;
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

/** A heading, the question of a disclosure, or the first cell of a row that has an id. */
const HEADING = String.raw`<h[1-3]\b|<details\b[^>]*>\s*<summary\b|<tr id="[^"]+"><th\b`;
/** A heading or the element with an id around it. */
const START = new RegExp(
  `(?=<(?:section|div|li|article)\\b[^>]*\\sid="[^"]+"[^>]*>\\s*(?:${HEADING})|${HEADING})`,
);
const TITLE = /^<(h[1-3]|details|tr)\b([^>]*)>([\s\S]*?)<\/(?:h[1-3]|summary|th)>/;
const ID = /\sid="([^"]+)"/;

/** The text below each heading. Its id is its own or that of the surrounding section. @param {string} main */
function sectionsOf(main) {
  /** @type {Section[]} */
  const sections = [{ id: '', heading: '', text: '' }];
  let outerId = '';
  for (const part of main.split(START)) {
    const match = TITLE.exec(part);
    const last = /** @type {Section} */ (sections.at(-1));
    if (!match) {
      outerId = ID.exec(/^<[a-z]+\b[^>]*>/.exec(part)?.[0] ?? '')?.[1] ?? '';
      if (!outerId) last.text += ` ${textOf(part)}`;
      continue;
    }
    const [whole, element, attributes = '', heading = ''] = match;
    // A disclosure without an id belongs to the section before it.
    const id = ID.exec(attributes)?.[1] ?? (outerId || (element === 'details' ? last.id : ''));
    outerId = '';
    const text = textOf(part.slice(whole.length));
    if (id && element !== 'h1') sections.push({ id, heading: textOf(heading), text });
    else last.text += ` ${element === 'h1' ? '' : textOf(heading)} ${text}`;
  }
  return sections.map((section) => ({ ...section, text: section.text.replace(/\s+/g, ' ').trim() }));
}

/** @param {string} html */
const textOf = (html) =>
  decode(
    html.replace(/<[^>]+>/g, (tag) =>
      /^<\/?(?:span|a|em|strong|code|mark|abbr|time|wbr|b|i)\b/.test(tag) ? '' : ' ',
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
      throw new Error(`A page contains an unknown character reference: ${reference}.`);
    return character;
  });
