/** The figures of contract and capacity plan as nodes of type Fact, for running text: MDX names them as `{maxFaces}`. */
import { readCapacityFigures } from './capacity-figures.mjs';
import { readContractFile } from './contract-file.mjs';
import { figuresOf } from './figures.mjs';

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceFacts({ actions, createNodeId, createContentDigest }) {
  const facts = { ...(await readFacts()), ...(await readCapacityFigures()) };
  for (const [name, value] of Object.entries(facts)) {
    actions.createNode({
      id: createNodeId(`Fact ${name}`),
      name,
      value,
      internal: { type: 'Fact', contentDigest: createContentDigest({ name, value }) },
    });
  }
}

/** Those of the contract. @returns {Promise<Readonly<Record<string, string>>>} by name */
export async function readFacts() {
  const files = ['brand', 'limits', 'plans', 'events', 'schemas/face-attributes'];
  const [brand, limits, plans, events, attributes] = await Promise.all(files.map(readContractFile));
  const named = events.map((/** @type {{ id: string }} */ { id }) => ({ eventType: id }));
  return figuresOf({ brand, limits, plans, events: named, attributes });
}
