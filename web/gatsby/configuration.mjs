/** Sources the environment variables of both tiers and the bounds of the gateway, from the files that their code reads. */
import { readFile } from 'node:fs/promises';
import { createNodes } from './create-nodes.mjs';
import { markdownTable } from './markdown-table.mjs';

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

/**
 * @typedef {object} Bound
 * @property {string} per such as request or account
 * @property {string} bound
 * @property {string} limit the value with its unit
 * @property {string | undefined} variable
 * @property {string} outcome when the bound is reached: an error code or a sentence
 */

/** @returns {Promise<Bound[]>} the bounds of the gateway, in the order of the contract */
async function readBounds() {
  const file = new URL('../../gateway/contract/bounds.json', import.meta.url);
  /** @type {{ bounds: Record<string, { per: string, what: string, value?: number, unit?: string, setting?: string, then: string }> }} */
  const { bounds } = JSON.parse(await readFile(file, 'utf8'));
  return Object.values(bounds).map(({ per, what, value, unit, setting, then }) => ({
    per,
    bound: what,
    limit: value === undefined ? 'by plan' : formatBound(value, unit),
    variable: setting,
    outcome: then,
  }));
}

/** @param {number} value @param {string | undefined} unit @returns {string} such as 16 KiB or 15 s */
function formatBound(value, unit) {
  if (unit === 'bytes') return value < 2 ** 20 ? `${value / 2 ** 10} KiB` : `${value / 2 ** 20} MiB`;
  if (unit === 'ms' && value % 1000 === 0) return `${value / 1000} s`;
  return [value.toLocaleString('en-US'), unit].filter(Boolean).join(' ');
}

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceConfiguration(api) {
  const tiers = /** @type {(keyof typeof SCHEMAS)[]} */ (Object.keys(SCHEMAS));
  const variables = tiers.map(async (tier) =>
    (await readVariables(tier)).map((variable) => ({ ...variable, tier })),
  );
  createNodes(api, 'ConfigurationVariable', (await Promise.all(variables)).flat());
  createNodes(api, 'GatewayBound', await readBounds());
}

/** Components of MDX that show such a table. Their attributes are its headings and labels. */
const TABLE = /^<(ConfigurationTable|BoundsTable)\s([\s\S]*?)\/>$/gm;

/** @param {string} mdx @returns {Promise<string>} with Markdown tables in place of the components */
export async function fillConfiguration(mdx) {
  /** @type {Map<string, string>} */
  const tables = new Map();
  for (const [component, name, attributes = ''] of mdx.matchAll(TABLE)) {
    const texts = Object.fromEntries(
      [...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text]),
    );
    tables.set(component, name === 'BoundsTable' ? await boundsTable(texts) : await variablesTable(texts));
  }
  return mdx.replace(TABLE, (component) => tables.get(component) ?? '');
}

/** @param {Record<string, string>} texts */
async function variablesTable(texts) {
  const rows = (await readVariables(/** @type {keyof typeof SCHEMAS} */ (texts.tier))).map((variable) => [
    `\`${variable.name}\``,
    `\`${variable.values.replaceAll('|', '\\|')}\``,
    variable.required ? texts.required : variable.fallback ? `\`${variable.fallback}\`` : '',
    variable.description,
  ]);
  return markdownTable([texts.variable, texts.values, texts.fallback, texts.meaning], rows);
}

/** @param {Record<string, string>} texts */
async function boundsTable(texts) {
  const rows = (await readBounds()).map(({ per, bound, limit, variable, outcome }) => [
    per,
    variable ? `${bound} \`${variable}\`` : bound,
    limit,
    outcome,
  ]);
  return markdownTable([texts.per, texts.bound, texts.limit, texts.outcome], rows);
}
