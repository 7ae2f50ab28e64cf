/**
 * `@filled`: figures of the contract in a text, or in each of a list. They are read through the node model, so that
 * Gatsby knows of every page that depends on them and renders it anew when they change.
 */
import { fillFigures } from '../figures.mjs';

export const filled = { name: 'filled', extend: () => ({ resolve }) };

/** @param {unknown} source @param {unknown} args @param {any} context @param {unknown} info */
async function resolve(source, args, context, info) {
  const text = context.defaultFieldResolver(source, args, context, info);
  if (text == null) return text;
  const { entries } = await context.nodeModel.findAll({ type: 'Fact', query: {} });
  const figures = Object.fromEntries(Array.from(entries, ({ name, value }) => [name, value]));
  return Array.isArray(text) ? text.map((one) => fillFigures(one, figures)) : fillFigures(text, figures);
}
