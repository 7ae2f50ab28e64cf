/**
 * Sources the public API's own data (gateway/contract) into GraphQL, so that pages never repeat a name, a
 * number or a description that the API owns.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** File of the contract, the type of its nodes, and the field for an entry's own id: a node's `id` is Gatsby's. */
const SOURCES = [
  { file: 'brand.json', type: 'ContractBrand' },
  { file: 'limits.json', type: 'ContractLimits' },
  { file: 'products.json', type: 'ContractProduct', idField: 'productId' },
];

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceNodes({ actions, createNodeId, createContentDigest }) {
  for (const { file, type, idField } of SOURCES) {
    /** @type {unknown} */
    const content = JSON.parse(await readFile(resolve(`@presenza/contract/${file}`), 'utf8'));
    /** @type {Record<string, unknown>[]} */
    const entries = Array.isArray(content) ? content : [content];
    entries.forEach((entry, position) => {
      actions.createNode({
        ...entry,
        ...(idField && { [idField]: entry.id }),
        position,
        id: createNodeId(`${type} ${position}`),
        internal: { type, contentDigest: createContentDigest({ entry, position }) },
      });
    });
  }
}
