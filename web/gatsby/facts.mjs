/**
 * Sources the figures of contract, results and packages as nodes of type Fact. MDX and JSON refer to them as
 * `{maxFaces}`.
 */
import { readFile } from 'node:fs/promises';
import { readCapacityFigures } from './capacity-figures.mjs';
import { readContractFile } from './contract-file.mjs';
import { createNodes } from './create-nodes.mjs';
import { figuresOf } from './figures.mjs';
import { readMeasuredFigures } from './measured-figures.mjs';

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceFacts(api) {
  const facts = Object.entries(await readAllFacts());
  createNodes(
    api,
    'Fact',
    facts.map(([name, value]) => ({ name, value })),
  );
}

/** @returns {Promise<Readonly<Record<string, string>>>} by name */
export async function readAllFacts() {
  const sources = [
    readFacts,
    readCapacityFigures,
    readMeasuredFigures,
    readPackageFigures,
    readCommitments,
    readYear,
  ];
  return Object.assign({}, ...(await Promise.all(sources.map((read) => read()))));
}

/** The version of the product, and the required versions of Node and of browsers. */
async function readPackageFigures() {
  const [root, web] = await Promise.all(['package.json', 'web/package.json'].map(readJson));
  const versions = web.browserslist.map((/** @type {string} */ line) => line.split(' >= '));
  const browsers = versions.map((/** @type {string[]} */ [name, version]) => [`${name}Version`, version]);
  return {
    version: root.version,
    nodeVersion: root.engines.node.replace('>=', ''),
    ...Object.fromEntries(browsers),
  };
}

/** The year of the build, for the copyright. */
const readYear = () => ({ year: String(new Date().getUTCFullYear()) });

/** Commitments, which cannot be measured, by the names in their claims. @returns {Promise<Record<string, string>>} */
async function readCommitments() {
  /** @type {{ groups: { claims: { facts?: { name: string, value: string }[] }[] }[] }} */
  const { groups } = await readJson('web/content/claims.json');
  const facts = groups.flatMap(({ claims }) => claims.flatMap((claim) => claim.facts ?? []));
  return Object.fromEntries(facts.map(({ name, value }) => [name, value]));
}

/** @param {string} path from the root of the repository @returns {Promise<any>} */
const readJson = async (path) =>
  JSON.parse(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8'));

/** The figures of the contract. @returns {Promise<Readonly<Record<string, string>>>} by name */
export async function readFacts() {
  const files = ['brand', 'limits', 'plans', 'events'];
  const types = ['liveness-policy', 'landmark-type', 'emotion-type', 'accessory-type'].map(
    (name) => `schemas/${name}`,
  );
  const [brand, limits, plans, events, livenessPolicy, landmarks, emotions, accessories] = await Promise.all(
    [...files, ...types].map(readContractFile),
  );
  const named = events.map((/** @type {{ id: string }} */ { id }) => ({ eventType: id }));
  return figuresOf({ brand, limits, plans, events: named, livenessPolicy, landmarks, emotions, accessories });
}
