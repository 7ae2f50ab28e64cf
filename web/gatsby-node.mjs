/** Gatsby's Node APIs: one file each in gatsby/. */
export { onPostBuild } from './gatsby/after-build/index.mjs';
export { sourceNodes } from './gatsby/contract.mjs';
export { createPages } from './gatsby/pages.mjs';
export { createSchemaCustomization } from './gatsby/schema/index.mjs';
export { createResolvers } from './gatsby/sources.mjs';
export { onCreateWebpackConfig } from './gatsby/webpack.mjs';
