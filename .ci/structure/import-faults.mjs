// The rules for imports. `check-imports.mjs` applies them to the repository.

import { posix } from 'node:path';
import { MODULES, NEVER } from './modules.mjs';

/** @typedef {{ from: string, to: string }} Import paths relative to the root; `to` may be the name of a package */

/** @param {string} file */
const isTest = (file) => /\.(?:test|check)\.|(?:^|\/)test\//.test(file);

/** @param {string} path @param {string} parent */
const isInside = (path, parent) => path === parent || path.startsWith(`${parent}/`);

/** @param {string} path @returns {string | undefined} undefined for a package and for files beside the modules */
const moduleOf = (path) =>
  Object.keys(MODULES)
    .filter((module) => isInside(path, module))
    .sort((a, b) => b.length - a.length)[0];

/** @param {readonly Import[]} imports @returns {string[]} a sentence for each fault */
export function findImportFaults(imports) {
  const ofSources = imports.filter(({ from, to }) => !isTest(from) && moduleOf(to) !== undefined);
  return [
    ...imports.flatMap(forbidden),
    ...imports.flatMap(outside),
    ...ofSources.flatMap(unlisted),
    ...circles(ofSources, posix.dirname, 'folders'),
    ...circles(ofSources, moduleOf, 'modules'),
  ];
}

/** @param {Import} arrow */
const forbidden = ({ from, to }) =>
  NEVER.filter((rule) => isInside(from, rule.from) && isInside(to, rule.to)).map(
    ({ because }) => `${from} imports ${to}: ${because}.`,
  );

/** A folder without a module could import anything. @param {Import} arrow */
const outside = ({ from, to }) =>
  from.includes('/') && moduleOf(from) === undefined
    ? [`${from} imports ${to}, but its folder is in no module of modules.mjs.`]
    : [];

/** @param {Import} arrow */
function unlisted({ from, to }) {
  const [module, target] = [moduleOf(from), moduleOf(to)];
  if (module === undefined || target === undefined || module === target) return [];
  return MODULES[module]?.includes(target)
    ? []
    : [`${from} imports ${to}, which modules.mjs does not list for ${module}.`];
}

/**
 * @param {readonly Import[]} imports
 * @param {(path: string) => string | undefined} groupOf
 * @param {string} groups what the groups are called
 */
function circles(imports, groupOf, groups) {
  /** The groups that each group imports, with one import for the report. @type {Map<string, Map<string, string>>} */
  const arrows = new Map();
  for (const { from, to } of imports) {
    const [group, target] = [groupOf(from), groupOf(to)];
    if (group === undefined || target === undefined || group === target) continue;
    if (!arrows.has(group)) arrows.set(group, new Map());
    arrows.get(group)?.set(target, `${from} -> ${to}`);
  }
  return [...connected(arrows)].map((circle) => {
    const examples = circle.flatMap((group) =>
      [...(arrows.get(group) ?? [])]
        .filter(([target]) => circle.includes(target))
        .map(([, example]) => `\n  ${example}`),
    );
    return `These ${groups} import each other: ${circle.join(', ')}${examples.join('')}`;
  });
}

/**
 * Strongly connected components of more than one node (Tarjan, 1972).
 * @param {ReadonlyMap<string, ReadonlyMap<string, string>>} arrows
 */
function connected(arrows) {
  /** @type {Map<string, number>} */
  const order = new Map();
  /** @type {Map<string, number>} */
  const low = new Map();
  /** @type {string[]} */
  const stack = [];
  /** @type {string[][]} */
  const components = [];
  /** @param {string} node */
  const lowest = (node) => low.get(node) ?? Number.POSITIVE_INFINITY;
  /** @param {string} node */
  const visit = (node) => {
    order.set(node, order.size);
    low.set(node, order.size - 1);
    stack.push(node);
    for (const next of arrows.get(node)?.keys() ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(lowest(node), lowest(next)));
    }
    if (lowest(node) !== order.get(node)) return;
    const component = stack.splice(stack.indexOf(node));
    if (component.length > 1) components.push(component.sort());
  };
  for (const node of arrows.keys()) if (!order.has(node)) visit(node);
  return components;
}
