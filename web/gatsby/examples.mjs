/** Sources the contract's example payloads as people read them: coloured, with short objects on one line. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CONTRACT } from './contract-file.mjs';
import { highlight } from './highlight.mjs';

const FOLDER = join(CONTRACT, 'examples');
/** A picture as a data URI: its type, and enough of it to be recognised as base64. */
const PICTURE = /^(data:image\/[a-z]+;base64,.{8}).+$/;
/** What fits beside the sidebar without scrolling. */
const LINE_LENGTH = 88;

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceExamples({ actions, createNodeId, createContentDigest }) {
  const files = await readdir(FOLDER);
  await Promise.all(
    files.map(async (file) => {
      const name = basename(file, '.json');
      const content = JSON.parse(await readFile(join(FOLDER, file), 'utf8'), shortenPicture);
      const example = { name, html: highlight(print(content), 'json') };
      actions.createNode({
        ...example,
        id: createNodeId(`ExampleMessage ${name}`),
        internal: { type: 'ExampleMessage', contentDigest: createContentDigest(example) },
      });
    }),
  );
}

/** @param {string} _key @param {unknown} value */
const shortenPicture = (_key, value) => (typeof value === 'string' ? value.replace(PICTURE, '$1…') : value);

/**
 * JSON, indented by two, in which an object or a list that holds neither stands on one line where it fits.
 * @param {unknown} value
 * @param {string} [indent] of the line that it begins on
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
  // The first object of a message is its body: it keeps a line for each member, however short.
  if (isFlat && indent && line.length + indent.length <= LINE_LENGTH) return line;
  return `${open}\n${members.map((member) => within + member).join(',\n')}\n${indent}${close}`;
}
