/** Gatsby's Node APIs: one file each in gatsby/. */
import { sourceAnswers } from './gatsby/answers.mjs';
import { sourceBenchmarks } from './gatsby/benchmarks.mjs';
import { sourceNodes as sourceContract } from './gatsby/contract.mjs';

export { createResolvers } from './gatsby/measured.mjs';
export { createPages } from './gatsby/pages.mjs';
export { createSchemaCustomization } from './gatsby/schema/index.mjs';

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceNodes(api) {
  await Promise.all([sourceContract(api), sourceBenchmarks(api), sourceAnswers(api)]);
}
