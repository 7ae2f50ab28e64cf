/**
 * Sources the public API's own data (gateway/contract) into GraphQL, so that pages never repeat a name, a
 * number or a description that the API owns.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** File of the contract, the type of its nodes, and the member that tells its entries apart. */
const SOURCES = [
  { file: 'brand.json', type: 'ContractBrand', key: 'slug' },
  { file: 'products.json', type: 'ContractProduct', key: 'id', keyField: 'productId' },
];

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceNodes({ actions, createNodeId, createContentDigest }) {
  for (const { file, type, key, keyField = key } of SOURCES) {
    /** @type {unknown} */
    const content = JSON.parse(await readFile(resolve(`@presenza/contract/${file}`), 'utf8'));
    /** @type {Record<string, unknown>[]} */
    const entries = Array.isArray(content) ? content : [content];
    entries.forEach((entry, position) => {
      actions.createNode({
        ...entry,
        [keyField]: entry[key],
        position,
        // A node's own id: the entry's moves to keyField.
        id: createNodeId(`${type} ${entry[key]}`),
        internal: { type, contentDigest: createContentDigest({ entry, position }) },
      });
    });
  }
}
