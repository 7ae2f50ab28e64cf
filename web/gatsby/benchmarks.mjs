/** Sources what was measured (benchmarks/results) into GraphQL: who measured it, when, on what, and the bars. */
import { readResults } from './measured-figures.mjs';

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceBenchmarks({ actions, createNodeId, createContentDigest }) {
  for (const { figures, ...result } of await readResults()) {
    // The raw figures belong to each measurement alone: its bars are what others may read.
    actions.createNode({
      ...result,
      id: createNodeId(`BenchmarkResult ${result.name} ${result.variant ?? ''}`),
      internal: { type: 'BenchmarkResult', contentDigest: createContentDigest(result) },
    });
  }
}
