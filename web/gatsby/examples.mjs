/** Sources the contract's example payloads, highlighted and with short objects on one line. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CONTRACT } from './contract-file.mjs';
import { createNodes } from './create-nodes.mjs';
import { highlight } from './highlight.mjs';

const FOLDER = join(CONTRACT, 'examples');
/** An image as data URI: its type, and enough characters to recognize base64. */
const IMAGE = /^(data:image\/[a-z]+;base64,.{8}).+$/;
/** Characters that fit beside the sidebar without scrolling. */
const LINE_LENGTH = 88;

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceExamples(api) {
  const examples = (await readdir(FOLDER)).map(async (file) => {
    const content = JSON.parse(await readFile(join(FOLDER, file), 'utf8'), shortenImage);
    return { name: basename(file, '.json'), html: highlight(print(content), 'json') };
  });
  createNodes(api, 'ExampleMessage', await Promise.all(examples));
}

/** @param {string} _key @param {unknown} value */
const shortenImage = (_key, value) => (typeof value === 'string' ? value.replace(IMAGE, '$1…') : value);

/**
 * JSON with two spaces of indentation. Flat objects and lists are on one line if they fit.
 * @param {unknown} value
 * @param {string} [indent] of its first line
 * @returns {string}
 */
function print(value, indent = '') {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const within = `${indent}  `;
  const members = Object.entries(value).map(
    ([key, member]) => (Array.isArray(value) ? '' : `${JSON.stringify(key)}: `) + print(member, within),
  );
  const line = `${open} ${members.join(', ')} ${close}`;
  const isFlat = Object.values(value).every((member) => typeof member !== 'object' || member === null);
  // The outermost object keeps a line for each member, however short.
  if (isFlat && indent && line.length + indent.length <= LINE_LENGTH) return line;
  return `${open}\n${members.map((member) => within + member).join(',\n')}\n${indent}${close}`;
}
