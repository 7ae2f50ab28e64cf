/**
 * The directive `@filled` replaces figures in a text or in each text of a list. It reads them through the node model, so
 * that Gatsby renders dependent pages again when they change.
 */
import { fillFigures } from '../figures.mjs';

export const filled = { name: 'filled', extend: () => ({ resolve }) };

/** @param {unknown} source @param {unknown} args @param {any} context @param {unknown} info */
async function resolve(source, args, context, info) {
  const text = context.defaultFieldResolver(source, args, context, info);
  if (text == null) return text;
  const { entries } = await context.nodeModel.findAll({ type: 'Fact', query: {} });
  const figures = Object.fromEntries(Array.from(entries, ({ name, value }) => [name, value]));
  return Array.isArray(text)
    ? text.map((paragraph) => fillFigures(paragraph, figures))
    : fillFigures(text, figures);
}
