/**
 * `@filled`: figures of the contract in a text, or in each of a list. The contract is read through the node model, so that Gatsby knows of
 * every page that depends on it and renders them anew when it changes.
 */
import { figuresOf, fillFigures } from '../figures.mjs';

export const filled = { name: 'filled', extend: () => ({ resolve }) };

/** @param {unknown} source @param {unknown} args @param {any} context @param {unknown} info */
async function resolve(source, args, context, info) {
  const text = context.defaultFieldResolver(source, args, context, info);
  if (text == null) return text;
  const figures = figuresOf(await readContract(context.nodeModel));
  return Array.isArray(text) ? text.map((line) => fillFigures(line, figures)) : fillFigures(text, figures);
}

/** @param {any} nodeModel @returns {Promise<import('../figures.mjs').Contract>} */
async function readContract(nodeModel) {
  /** @param {string} type */
  const one = (type) => nodeModel.findOne({ type, query: {} });
  /** @param {string} type */
  const all = async (type) => [
    ...(await nodeModel.findAll({ type, query: { sort: { fields: ['position'], order: ['ASC'] } } })).entries,
  ];
  const [brand, limits, attributes, plans, events] = await Promise.all([
    one('ContractBrand'),
    one('ContractLimits'),
    one('ContractFaceAttributes'),
    all('ContractPlan'),
    all('ContractEvent'),
  ]);
  return { brand, limits, attributes, plans, events };
}
