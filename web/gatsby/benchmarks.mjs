/** Sources the summaries of measurements (benchmarks/results) into GraphQL: when, on which machine, and the figures. */
import { readResults } from './measured-figures.mjs';

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceBenchmarks({ actions, createNodeId, createContentDigest }) {
  for (const { tables, charts, data, conditions, ...result } of await readResults()) {
    actions.createNode({
      ...result,
      id: createNodeId(`BenchmarkResult ${result.name} ${result.variant ?? ''}`),
      internal: { type: 'BenchmarkResult', contentDigest: createContentDigest(result) },
    });
  }
}
