// Extracts text from Markdown: paragraphs, headings, table cells and the front matter.

import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import { blank, maskCode } from './texts.mjs';

/** @typedef {import('./texts.mjs').Text} Text */
/** @typedef {import('./texts.mjs').Kind} Kind */

/** Nodes whose text is judged. @type {Readonly<Record<string, Kind>>} */
const KINDS = { paragraph: 'sentences', heading: 'headings', tableCell: 'labels' };

const FRONT_MATTER = /^---\n([\s\S]*?)\n---$/m;

/** @param {string} file of Markdown or MDX @returns {Text[]} */
export function readMarkdown(file) {
  const [whole = '', head = ''] = file.startsWith('---\n') ? (FRONT_MATTER.exec(file) ?? []) : [];
  /** @type {Text[]} */
  const texts = whole ? [{ start: 4, value: maskCode(head.replace(/^\w+:/gm, blank)), kind: 'labels' }] : [];
  const options = { extensions: [gfmTable], mdastExtensions: [gfmTableFromMarkdown] };
  const visit = (/** @type {any} */ node) => {
    const kind = KINDS[node.type];
    if (kind) texts.push({ start: node.position.start.offset, value: textOfNode(node, file), kind });
    else node.children?.forEach(visit);
  };
  visit(fromMarkdown(blank(whole) + file.slice(whole.length), options));
  return texts;
}

/** @param {any} node of Markdown @param {string} file @returns {string} its words, at their place */
function textOfNode(node, file) {
  const [start, end] = [node.position.start.offset, node.position.end.offset];
  const raw = file.slice(start, end);
  if (node.type === 'text') return node.value.length === raw.length ? node.value : raw;
  if (node.type === 'inlineCode') return 'X'.repeat(raw.length);
  let text = '';
  for (const child of node.children ?? [])
    text = text.padEnd(child.position.start.offset - start) + textOfNode(child, file);
  return text.padEnd(raw.length);
}
