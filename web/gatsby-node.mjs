/** Gatsby's Node APIs: one file each in gatsby/. */
import { sourceNodes as sourceContract } from './gatsby/contract.mjs';
import { sourceDemos } from './gatsby/demos.mjs';

export { createPages } from './gatsby/pages.mjs';
export { createSchemaCustomization } from './gatsby/schema/index.mjs';

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceNodes(api) {
  await Promise.all([sourceContract(api), sourceDemos(api, process.env)]);
}
