/** Sources the contract's example payloads, coloured, with pictures cut short: nobody reads base64. */
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { highlight } from './highlight.mjs';

const FOLDER = join(
  dirname(createRequire(import.meta.url).resolve('@presenza/contract/brand.json')),
  'examples',
);
/** What is left of a picture: its type, and enough to be recognised as base64. */
const PICTURE = /(data:image\/[a-z]+;base64,[\w+/=]{8})[\w+/=]+/g;

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceExamples({ actions, createNodeId, createContentDigest }) {
  const files = await readdir(FOLDER);
  await Promise.all(
    files.map(async (file) => {
      const name = basename(file, '.json');
      const code = (await readFile(join(FOLDER, file), 'utf8')).trimEnd().replace(PICTURE, '$1…');
      const example = { name, html: highlight(code, 'json') };
      actions.createNode({
        ...example,
        id: createNodeId(`ContractExample ${name}`),
        internal: { type: 'ContractExample', contentDigest: createContentDigest(example) },
      });
    }),
  );
}
