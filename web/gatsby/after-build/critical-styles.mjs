/**
 * Gatsby writes all styles of the site into every page. This step leaves in each page only the rules that its HTML can
 * match, which paint it without a request, and links the complete file at the end of its body. The browser keeps that
 * file for all other pages, and for what scripts add to this one.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import postcss from 'postcss';
import { filesIn } from '../files-in.mjs';

/** The complete style sheet in Gatsby's HTML, and its address. cspell:ignore atrule */
const COMPLETE =
  /<style data-href="(\/styles\.\w+\.css)" data-identity="gatsby-global-css">[\s\S]*?<\/style>/;
/** A class of a CSS module. Only such classes are unique to one component. */
const MODULE_CLASS = /\.([\w-]+--[0-9a-f]{6})(?![\w-])/g;
/** Arguments of :not(), :is() and :where(). A rule may match without their classes. */
const ARGUMENTS = /\([^()]*\)/g;

/** Returns the CSS that a page with these classes needs. @typedef {(classes: ReadonlySet<string>) => string} Part */

/** @param {string} publicDir */
export async function writeCriticalStyles(publicDir) {
  const files = (await filesIn(publicDir)).filter((file) => file.endsWith('.html'));
  /** @type {Map<string, Part>} */
  const sheets = new Map();
  for (const file of files) {
    const html = await readFile(file, 'utf8');
    const [style, address] = COMPLETE.exec(html) ?? [];
    if (!style || !address) continue; // reduced by an earlier build that rendered it
    const sheet = sheets.get(address) ?? partsOf(postcss.parse(await readFile(join(publicDir, address))));
    sheets.set(address, sheet);
    const body = html.replace(style, '');
    const critical = `<style>${sheet(classesOf(body))}</style>`;
    await writeFile(
      file,
      html.replace(style, () => critical).replace('</body>', () => `${linkTo(address)}</body>`),
    );
  }
}

const linkTo = (/** @type {string} */ address) => `<link rel="stylesheet" href="${address}"/>`;

/** @param {import('postcss').Container} container @returns {Part} */
function partsOf(container) {
  const parts = (container.nodes ?? []).map(partOf);
  return (classes) => parts.map((part) => part(classes)).join('');
}

/** @param {import('postcss').ChildNode} node @returns {Part} */
function partOf(node) {
  const text = node.toString();
  if (node.type === 'rule') {
    const selectors = node.selectors.map((selector) =>
      [...selector.replace(ARGUMENTS, '').matchAll(MODULE_CLASS)].map(([, name]) => String(name)),
    );
    return (classes) => (selectors.some((needed) => needed.every((name) => classes.has(name))) ? text : '');
  }
  if (node.type === 'atrule' && /^(?:media|supports)$/.test(node.name)) {
    const content = partsOf(node);
    return (classes) => {
      const kept = content(classes);
      return kept && `@${node.name} ${node.params}{${kept}}`;
    };
  }
  if (node.type === 'comment') return () => '';
  return () => (node.type === 'atrule' && !node.nodes ? `${text};` : text);
}

/** @param {string} html */
const classesOf = (html) =>
  new Set([...html.matchAll(/\sclass="([^"]+)"/g)].flatMap(([, names = '']) => names.split(/\s+/)));
