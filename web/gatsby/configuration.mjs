/** Sources the environment variables of both tiers into GraphQL, from the schemas that their code validates with. */
import { readFile } from 'node:fs/promises';

const SCHEMAS = {
  gateway: 'gateway/src/config/config.schema.json',
  inference: 'inference/src/config.schema.json',
};

/**
 * @typedef {object} Variable
 * @property {string} name
 * @property {string} values its type with the range, or all values
 * @property {string | undefined} fallback the default
 * @property {boolean} required
 * @property {string} description with code between backticks
 *
 * @typedef {{ type?: string, enum?: string[], minimum?: number, maximum?: number, default?: unknown, description: string }} Property
 */

/** @param {keyof typeof SCHEMAS} tier @returns {Promise<Variable[]>} */
async function readVariables(tier) {
  const file = new URL(`../../${SCHEMAS[tier]}`, import.meta.url);
  /** @type {{ required: string[], properties: Record<string, Property> }} */
  const { required, properties } = JSON.parse(await readFile(file, 'utf8'));
  return Object.entries(properties).map(([name, property]) => ({
    name,
    values: property.enum?.join(' | ') ?? [property.type, rangeOf(property)].filter(Boolean).join(' '),
    fallback:
      property.default === undefined || property.default === '' ? undefined : String(property.default),
    required: required.includes(name),
    description: property.description,
  }));
}

/** @param {Property} property @returns {string | undefined} such as 1-256 or ≥ 1 */
function rangeOf({ minimum, maximum }) {
  if (minimum === undefined) return undefined;
  return maximum === undefined ? `≥ ${minimum}` : `${minimum}–${maximum}`;
}

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceConfiguration({ actions, createNodeId, createContentDigest }) {
  for (const tier of /** @type {const} */ (['gateway', 'inference'])) {
    for (const [position, variable] of (await readVariables(tier)).entries()) {
      actions.createNode({
        ...variable,
        tier,
        position,
        id: createNodeId(`ConfigurationVariable ${tier} ${variable.name}`),
        internal: { type: 'ConfigurationVariable', contentDigest: createContentDigest(variable) },
      });
    }
  }
}

/** A component of MDX that shows the variables of a tier; its further attributes are the words of the table. */
const TABLE = /^<ConfigurationTable\s+tier="(\w+)"([\s\S]*?)\/>$/gm;

/** @param {string} mdx @returns {Promise<string>} with Markdown tables in place of the components */
export async function fillConfiguration(mdx) {
  /** @type {Map<string, string>} */
  const tables = new Map();
  for (const [component, tier, attributes = ''] of mdx.matchAll(TABLE)) {
    const words = Object.fromEntries(
      [...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, text]) => [name, text]),
    );
    const rows = (await readVariables(/** @type {keyof typeof SCHEMAS} */ (tier))).map((variable) => [
      `\`${variable.name}\``,
      `\`${variable.values.replaceAll('|', '\\|')}\``,
      variable.required ? words.required : variable.fallback ? `\`${variable.fallback}\`` : '',
      variable.description,
    ]);
    const heading = [words.variable, words.values, words.fallback, words.meaning];
    const lines = [heading, heading.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
    tables.set(component, lines.join('\n'));
  }
  return mdx.replace(TABLE, (component) => tables.get(component) ?? '');
}
