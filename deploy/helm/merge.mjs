// Writes the base and the builds with one component more as one text, in which Helm's conditions select what a component
// adds, removes or replaces.

import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';

/**
 * @typedef {object} Variant
 * @property {string} when Helm's condition, in parentheses if it has several words
 * @property {any} node what the build has in place of the base's node; undefined if it has none
 */

/** @param {string} condition @param {string[]} body */
const wrap = (condition, body) => (body.length > 0 ? [`{{- if ${condition} }}`, ...body, '{{- end }}'] : []);

/** @param {readonly Variant[]} variants */
const anyOf = (variants) => {
  const conditions = [...new Set(variants.map(({ when }) => when))];
  return conditions.length > 1 ? `(or ${conditions.join(' ')})` : conditions[0];
};

/** @param {any} node */
const isMap = (node) => typeof node === 'object' && node !== null && !Array.isArray(node);
/** @param {any} node */
const isNamed = (node) => Array.isArray(node) && node.every((item) => isMap(item) && 'name' in item);

/**
 * The children of a map, or of a list whose items have names, such as containers and variables.
 * @param {any} node
 * @returns {[string, any][]}
 */
const childrenOf = (node) =>
  isMap(node) ? Object.entries(node) : node.map((/** @type {any} */ item) => [item.name, item]);

/** @param {readonly any[]} nodes whether each difference between them can be found in their children */
const comparable = (nodes) => nodes.every(isMap) || nodes.every(isNamed);

/**
 * @param {any} base undefined if it has no such node
 * @param {readonly Variant[]} variants
 * @param {(node: any) => string[]} print a node that all variants share, or one that a variant replaces
 * @param {(base: any, variants: readonly Variant[]) => string[]} descend prints a node whose children differ
 * @returns {string[]} lines
 */
function merge(base, variants, print, descend) {
  const removed = variants.filter(({ node }) => base !== undefined && node === undefined);
  const rest = variants.filter(({ node }) => node !== undefined);
  const changed = rest.filter(({ node }) => !isDeepStrictEqual(node, base));
  const kept = () => {
    if (base === undefined) return changed.flatMap(({ when, node }) => wrap(when, print(node)));
    if (changed.length === 0) return print(base);
    if (comparable([base, ...changed.map(({ node }) => node)])) return descend(base, rest);
    const choices = changed.flatMap(({ when, node }, i) => [
      `{{- ${i > 0 ? 'else ' : ''}if ${when} }}`,
      ...print(node),
    ]);
    return [...choices, '{{- else }}', ...print(base), '{{- end }}'];
  };
  return removed.length > 0 ? wrap(`not ${anyOf(removed)}`, kept()) : kept();
}

/**
 * @param {any} base a map or a list of named items
 * @param {readonly Variant[]} variants
 * @param {string} indent
 * @returns {string[]} lines
 */
function mergeChildren(base, variants, indent) {
  const ofVariants = variants.map(({ when, node }) => ({ when, children: new Map(childrenOf(node)) }));
  const ofBase = new Map(childrenOf(base));
  const names = new Set([...ofBase.keys(), ...ofVariants.flatMap(({ children }) => [...children.keys()])]);
  return [...names].flatMap((name) => {
    const nodes = ofVariants.map(({ when, children }) => ({ when, node: children.get(name) }));
    return isMap(base)
      ? mergeEntry(name, ofBase.get(name), nodes, indent)
      : mergeItem(ofBase.get(name), nodes, indent);
  });
}

/** @param {string} key @param {any} base @param {readonly Variant[]} variants @param {string} indent */
const mergeEntry = (key, base, variants, indent) =>
  merge(
    base,
    variants,
    (node) => lines({ [key]: node }, indent),
    (node, others) => [`${indent}${key}:`, ...mergeChildren(node, others, `${indent}  `)],
  );

/** @param {any} base @param {readonly Variant[]} variants @param {string} indent */
const mergeItem = (base, variants, indent) =>
  merge(
    base,
    variants,
    (node) => lines([node], indent),
    ({ name, ...node }, others) => [
      ...lines([{ name }], indent),
      ...mergeChildren(
        node,
        others.map(({ when, node: { name: _, ...other } }) => ({ when, node: other })),
        `${indent}  `,
      ),
    ],
  );

/**
 * One object of the chart.
 * @param {any} base undefined if the base has no such object
 * @param {readonly Variant[]} variants
 * @returns {string[]} lines, with the separator of documents
 */
export const mergeObject = (base, variants) =>
  merge(
    base,
    variants,
    (node) => ['---', ...lines(node, '')],
    (node, others) => ['---', ...mergeChildren(node, others, '')],
  );

/** Helm reads YAML 1.1, where `on` without quotes is true. */
export const HELM_YAML = /** @type {const} */ ({ lineWidth: 0, compat: 'yaml-1.1' });

/** @param {any} value @param {string} indent */
const lines = (value, indent) =>
  stringify(value, HELM_YAML)
    .trimEnd()
    .split('\n')
    .map((line) => (line ? indent + line : ''));
