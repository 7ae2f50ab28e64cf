/** Gatsby's Node APIs. The folder gatsby/ implements them. */

import { sourceApiChangelog } from './gatsby/api-changelog.mjs';
import { sourceChangelog } from './gatsby/changelog.mjs';
import { sourceConfiguration } from './gatsby/configuration.mjs';
import { sourceContract } from './gatsby/contract.mjs';
import { contractResolvers } from './gatsby/contract-resolvers.mjs';
import { sourceDemos } from './gatsby/demos.mjs';
import { sourceDownloads } from './gatsby/downloads/index.mjs';
import { measuredResolvers, sourceBenchmarks } from './gatsby/measured.mjs';
import { modelResolvers, sourceModels } from './gatsby/models.mjs';
import { productExampleResolvers, sourceProductExamples } from './gatsby/product-examples.mjs';
import { sourceReference } from './gatsby/reference/read-reference.mjs';
import { sourceResolvers } from './gatsby/sources.mjs';
import { sourceTestImages } from './gatsby/test-images.mjs';

export { onPostBuild } from './gatsby/after-build/index.mjs';
export { createPages } from './gatsby/pages.mjs';
export { createSchemaCustomization } from './gatsby/schema/index.mjs';
export { onCreateWebpackConfig } from './gatsby/webpack.mjs';

/** @param {import('gatsby').CreateResolversArgs} api */
export function createResolvers(api) {
  api.createResolvers({
    ...measuredResolvers,
    ...modelResolvers,
    ...productExampleResolvers,
    ...contractResolvers,
  });
  sourceResolvers(api);
}

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceNodes(api) {
  const sources = [
    sourceContract,
    sourceReference,
    sourceBenchmarks,
    sourceModels,
    sourceProductExamples,
    sourceDownloads,
  ];
  await Promise.all([...sources.map((source) => source(api)), sourceDemos(api, process.env)]);
  await sourceConfiguration(api);
  await sourceTestImages(api);
  await sourceApiChangelog(api);
  await sourceChangelog(api);
}
