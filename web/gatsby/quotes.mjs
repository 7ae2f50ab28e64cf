/**
 * Guides quote the example apps by file and region, so that text and code cannot differ. An empty block
 * ```` ```js file=web/node/server.mjs region=create ```` gets the lines between `region create` and `endregion` of
 * that file, or the file without its markers if it names no region.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const APPS = fileURLToPath(new URL('../../gateway/contract/apps', import.meta.url));
const META = /^file=(\S+)(?: region=(\S+))?$/;
const FENCE = /^( *)```(\w+) (file=.*)\n([\s\S]*?)^\1```$/gm;
const MARKER = /^\s*(?:\/\/|#|<!--)\s*(?:region (\S+)|endregion)(?:\s*-->)?$/;

/** @typedef {{ type: string, meta?: string | null, value?: string, children?: Node[] }} Node */

/** The files that guides may quote. */
export const quotedFiles = () =>
  readdirSync(APPS, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath, path }) => join(parentPath ?? path, name))
    .sort();

/** A remark plugin that fills the blocks of a page. */
export const quoteCode = () => visit;

/** @param {Node} node */
function visit(node) {
  if (node.type === 'code' && node.meta?.startsWith('file=')) {
    node.value = quote(node.meta, node.value);
    node.meta = null;
  }
  node.children?.forEach(visit);
}

/** Fills the blocks of an MDX or Markdown text. @param {string} text */
export const fillQuotes = (text) =>
  text.replace(FENCE, (_, indent, language, meta, body) => {
    const code = quote(meta, body).replace(/^(?=.)/gm, indent);
    return `${indent}\`\`\`${language}\n${code}\n${indent}\`\`\``;
  });

/**
 * @param {string} meta of the block @param {string} [body] of the block
 * @returns {string} the code, without the indentation that all of its lines share
 * @throws {Error} if there is no such file or region
 */
function quote(meta, body = '') {
  const [, file, region] = META.exec(meta) ?? [];
  if (!file) throw new Error(`A block needs file=PATH or file=PATH region=NAME, not "${meta}".`);
  if (body.trim()) throw new Error(`The block "${meta}" has code of its own. The file is its only source.`);
  const lines = linesOf(file);
  return dedent(region ? linesIn(lines, region, file) : lines.filter((line) => !MARKER.test(line)));
}

/** @param {string} file */
function linesOf(file) {
  try {
    return readFileSync(join(APPS, file), 'utf8').split('\n');
  } catch (cause) {
    throw new Error(`A page quotes gateway/contract/apps/${file}, which cannot be read.`, { cause });
  }
}

/** @param {string[]} lines @param {string} region @param {string} file */
function linesIn(lines, region, file) {
  const start = lines.findIndex((line) => MARKER.exec(line)?.[1] === region);
  const length = lines.slice(start + 1).findIndex((line) => MARKER.test(line));
  if (start < 0 || length < 0) {
    throw new Error(
      `A page quotes the region "${region}" of gateway/contract/apps/${file}, which has no such region.`,
    );
  }
  return lines.slice(start + 1, start + 1 + length);
}

/** @param {string[]} lines */
function dedent(lines) {
  const indents = lines.filter((line) => line.trim()).map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  const shared = Math.min(...indents);
  return lines
    .map((line) => line.slice(shared))
    .join('\n')
    .replace(/^\n+|\s+$/g, '');
}
