/** Sources what was measured (benchmarks/results) into GraphQL: who measured it, when, on what, and the bars. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RESULTS = fileURLToPath(new URL('../../benchmarks/results', import.meta.url));

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceBenchmarks({ actions, createNodeId, createContentDigest }) {
  const files = await readdir(RESULTS, { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.json')).sort()) {
    // The raw figures belong to each measurement alone: its bars are what others may read.
    const { figures, ...result } = JSON.parse(await readFile(join(RESULTS, file), 'utf8'));
    actions.createNode({
      ...result,
      id: createNodeId(`BenchmarkResult ${file}`),
      internal: { type: 'BenchmarkResult', contentDigest: createContentDigest(result) },
    });
  }
}
