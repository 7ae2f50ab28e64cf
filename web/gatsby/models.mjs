/**
 * Sources the default models from their manifests, and joins the model cards of content with them and with measured
 * figures. The twin of the page in Markdown has the same cards.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { createNodes } from './create-nodes.mjs';

const TIER = new URL('../../inference/', import.meta.url);

/**
 * @typedef {{ path: string, sha256: string }} ModelFile
 * @typedef {{ role: string, modelId: string, description: string, license: string, trainingData: string, source: string, input: string, files: ModelFile[] }} DefaultModel
 * @typedef {{ what: string, valueText: string, sampleText: { count: string, low: string | null, high: string | null } | null }} CardFigure
 * @typedef {{ name: string, measuredAt: string, commit: string, figures: CardFigure[] }} CardResult
 * @typedef {{ part: string, use: string, outOfScope: string, limits: string[], conditions: string, models: DefaultModel[], results: CardResult[] }} Card
 * @typedef {{ labels: Record<string, string>, cards: Card[] }} ModelCards
 */

/** @param {string} path in the folder of the inference tier @returns {Promise<any>} */
const readJson = async (path) => JSON.parse(await readFile(new URL(path, TIER), 'utf8'));

/** @returns {Promise<DefaultModel[]>} in the order of the roles */
async function readDefaultModels() {
  const [roles, { dependencies }] = await Promise.all(
    ['src/serving/default-models.json', 'package.json'].map(readJson),
  );
  const models = Object.entries(roles).map(async ([role, modelId]) => {
    const manifest = await readJson(`models/${modelId}.json`);
    const { description, license, trainingData, source, input } = manifest;
    return {
      role,
      modelId,
      description,
      license,
      trainingData,
      ...originOf(source, dependencies),
      input: `${input.width} x ${input.height}`,
    };
  });
  return Promise.all(models);
}

/**
 * @param {any} source of a manifest
 * @param {Record<string, string>} dependencies versions of the installed packages
 * @returns {Pick<DefaultModel, 'source' | 'files'>}
 */
function originOf(source, dependencies) {
  if (source.kind === 'published' || source.kind === 'shipped') {
    const { hostname, pathname } = new URL(source.url);
    return { source: hostname, files: [{ path: basename(pathname), sha256: source.sha256 }] };
  }
  return { source: `${source.package} ${dependencies[source.package]}`, files: source.files };
}

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceModels(api) {
  createNodes(api, 'DefaultModel', await readDefaultModels());
}

/** @param {any} nodeModel @param {string} type @returns {Promise<any[]>} */
async function findAll(nodeModel, type) {
  const { entries } = await nodeModel.findAll({ type, query: {} });
  return Array.from(entries);
}

export const modelResolvers = {
  ModelCard: {
    models: {
      type: '[DefaultModel!]!',
      resolve: async (
        /** @type {{ part: string, roles: string[] }} */ { part, roles },
        /** @type {unknown} */ _,
        /** @type {any} */ { nodeModel },
      ) => {
        const all = await findAll(nodeModel, 'DefaultModel');
        return roles.flatMap((role) => {
          const models = all.filter((model) => model.role === role);
          if (models.length === 0) throw new Error(`The card ${part} names the unknown role ${role}.`);
          return models;
        });
      },
    },
    results: {
      type: '[BenchmarkResult!]!',
      resolve: async (
        /** @type {{ part: string, measurements: string[] }} */ { part, measurements },
        /** @type {unknown} */ _,
        /** @type {any} */ { nodeModel },
      ) => {
        const all = await findAll(nodeModel, 'BenchmarkResult');
        return measurements.map((name) => {
          const result = all.find((candidate) => candidate.name === name && !candidate.variant);
          if (!result) throw new Error(`The card ${part} names the unknown measurement ${name}.`);
          return result;
        });
      },
    },
  },
};

const CARD = /^<ModelCard part="(\w+)" \/>$/gm;

/** @param {string} mdx @param {ModelCards} cards @returns {string} with Markdown in place of the components */
export const fillModelCards = (mdx, { labels, cards }) =>
  mdx.replace(CARD, (_, part) => {
    const card = cards.find((candidate) => candidate.part === part);
    if (!card) throw new Error(`There is no model card named ${part}.`);
    return cardMarkdown(card, labels);
  });

/** @param {Card} card @param {Record<string, string>} labels */
const cardMarkdown = ({ use, outOfScope, limits, models, results, conditions }, labels) =>
  [
    `**${labels.use}:** ${use}`,
    `**${labels.outOfScope}:** ${outOfScope}`,
    `**${labels.limits}:**`,
    limits.map((limit) => `- ${limit}`).join('\n'),
    ...models.map((model) => modelMarkdown(model, labels)),
    `### ${labels.figures}`,
    conditions,
    ...results.map(resultMarkdown),
  ].join('\n\n');

/** @param {DefaultModel} model @param {Record<string, string>} labels */
const modelMarkdown = (model, labels) =>
  [
    `### ${model.modelId}`,
    `${model.description}\n`,
    ...['role', 'trainingData', 'license', 'source', 'input'].map(
      (field) => `- ${labels[field]}: ${model[/** @type {'role'} */ (field)]}`,
    ),
    ...model.files.map(({ path, sha256 }) => `- ${labels.files}: \`${path}\` \`${sha256}\``),
  ].join('\n');

/** @param {CardResult} result */
const resultMarkdown = ({ name, measuredAt, commit, figures }) =>
  [
    `\`${name}\`, ${measuredAt}, commit ${commit}:\n`,
    ...figures.map(({ what, valueText, sampleText }) => {
      const { count, low, high } = sampleText ?? {};
      const range = low && high ? ` (${low} to ${high})` : '';
      return `- ${what}: ${valueText}${range}${count ? `, ${count}` : ''}`;
    }),
  ].join('\n');
