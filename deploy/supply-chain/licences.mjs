// `npm run licences`: the licence of everything that is deployed or builds the site, and of every model with the terms of
// its training data, held against policy.json. Writes .data/licences.md, which is never committed; ends with 1 where
// something is not covered. The texts of the licences stay in their packages, which the images contain whole.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHECKOUT_STATE, ROOT } from '../local/cli/paths.mjs';
import { readModels, readPackages } from './inventory.mjs';

/**
 * @typedef {object} Policy
 * @property {string[]} allowed SPDX identifiers
 * @property {{ package: string, licence: string, reason: string }[]} exceptions a name may end with `*`: a library has a
 *   package for each platform
 * @property {{ package: string, licence: string, file: string, says: string }[]} clarified packages that name no licence,
 *   and the file of theirs that does
 * @property {Record<string, string>} weightsWithoutLicence models, and why they are there all the same
 * @property {Record<string, string>} researchData models trained on data that was released for research
 * @property {Record<string, string>} installScripts packages that would run something when installed, and what
 */

/** @returns {Policy} */
export const readPolicy = () =>
  JSON.parse(readFileSync(fileURLToPath(new URL('policy.json', import.meta.url)), 'utf8'));

/**
 * Whether an SPDX expression of identifiers, AND, OR and parentheses is met by the allowed identifiers.
 * @param {string} expression @param {readonly string[]} allowed
 */
export function isAllowed(expression, allowed) {
  const tokens = expression.match(/[()]|[\w.+-]+/g) ?? [];
  let at = 0;
  /** @returns {boolean} */
  const either = () => {
    let met = both();
    while (tokens[at] === 'OR') {
      at++;
      met = both() || met;
    }
    return met;
  };
  const both = () => {
    let met = one();
    while (tokens[at] === 'AND') {
      at++;
      met = one() && met;
    }
    return met;
  };
  const one = () => {
    const token = tokens[at++] ?? '';
    if (token !== '(') return allowed.includes(token);
    const met = either();
    at++; // its closing parenthesis
    return met;
  };
  const met = either();
  // What is left over, such as WITH, is nothing that was judged.
  return met && at === tokens.length;
}

/** @param {{ package: string }} entry of the policy @param {string} name of a package */
const isOf = ({ package: pattern }, name) =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/**
 * @param {readonly import('./inventory.mjs').LockedPackage[]} packages
 * @param {Policy} policy
 * @param {(path: string) => string | undefined} read text of a file of an installed package
 * @returns {{ licences: Map<string, string[]>, faults: string[] }} packages by licence, and sentences
 */
export function judgePackages(packages, policy, read = readInstalled) {
  /** @type {Map<string, string[]>} */
  const licences = new Map();
  /** @type {string[]} */
  const faults = [];
  for (const { name, version, path, licence: stated, development } of packages) {
    if (development) continue;
    const clarified = policy.clarified.find((one) => one.package === name);
    const licence = stated ?? clarified?.licence;
    const here = `${name} ${version}`;
    if (licence === undefined) {
      faults.push(`${here} names no licence: read its files, and clarify it in policy.json.`);
      continue;
    }
    if (!stated && clarified) {
      const text = read(join(path, clarified.file));
      // An optional package of another platform is not installed, and not shipped from here.
      if (text !== undefined && !text.replace(/\s+/g, ' ').includes(clarified.says))
        faults.push(`${here}: ${clarified.file} does not say any more what policy.json says of it.`);
    }
    const excepted = policy.exceptions.some((one) => isOf(one, name) && one.licence === licence);
    if (!excepted && !isAllowed(licence, policy.allowed))
      faults.push(`${here} is under ${licence}, which policy.json neither allows nor excepts.`);
    const group = licences.get(licence) ?? [];
    licences.set(licence, [...group, here]);
  }
  for (const entry of [...policy.exceptions, ...policy.clarified]) {
    if (!packages.some((one) => isOf(entry, one.name) && !one.development))
      faults.push(`policy.json speaks of ${entry.package}, which nothing deployed needs any more.`);
  }
  return { licences, faults };
}

/** Names of licences that manifests write. */
const weightLicence = /\b(MIT|Apache-2\.0|BSD-[23]-Clause|CC0|CC BY 4\.0)\b/;

/**
 * @param {readonly import('./inventory.mjs').Model[]} models
 * @param {Pick<Policy, 'weightsWithoutLicence' | 'researchData'>} policy
 * @returns {string[]} sentences
 */
export function judgeModels(models, { weightsWithoutLicence, researchData }) {
  /** @type {string[]} */
  const faults = [];
  for (const { id, licence, trainingData } of models) {
    if (!licence || !trainingData) faults.push(`The model ${id} lacks its licence or its training data.`);
    const weights = licence.slice(Math.max(0, licence.indexOf('weights')));
    const licensed = weightLicence.test(weights) || /package and weights/.test(licence);
    if (licensed === id in weightsWithoutLicence)
      faults.push(`policy.json and the manifest of ${id} disagree on whether its weights have a licence.`);
    if (/research/i.test(trainingData) !== id in researchData)
      faults.push(`policy.json and the manifest of ${id} disagree on whether its data was for research.`);
  }
  for (const id of [...Object.keys(weightsWithoutLicence), ...Object.keys(researchData)]) {
    if (!models.some((model) => model.id === id))
      faults.push(`policy.json speaks of a model ${id}, which is gone.`);
  }
  return faults;
}

/** @param {string} path */
function readInstalled(path) {
  const file = join(ROOT, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** @param {Map<string, string[]>} licences @param {readonly import('./inventory.mjs').Model[]} models @param {Policy} policy */
function report(licences, models, policy) {
  const groups = [...licences].sort((one, other) => other[1].length - one[1].length);
  const row = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [
    '# Licences of what Presenza ships and is built with',
    '',
    ...groups.flatMap(([licence, names]) => [
      `## ${licence} (${names.length})`,
      '',
      ...policy.exceptions
        .filter((one) => one.licence === licence)
        .map((one) => `- ${one.package}: ${one.reason}`),
      '',
      [...new Set(names)].sort().join(', '),
      '',
    ]),
    '## Models',
    '',
    row(['Model', 'Licence', 'Training data', 'To decide']),
    row(['---', '---', '---', '---']),
    ...models.map(({ id, licence, trainingData }) =>
      row([
        id,
        licence,
        trainingData,
        [policy.weightsWithoutLicence[id], policy.researchData[id]].filter(Boolean).join(' '),
      ]),
    ),
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const policy = readPolicy();
  const models = readModels();
  const { licences, faults } = judgePackages(readPackages(), policy);
  const all = [...faults, ...judgeModels(models, policy)];
  mkdirSync(CHECKOUT_STATE, { recursive: true });
  const file = join(CHECKOUT_STATE, 'licences.md');
  writeFileSync(file, report(licences, models, policy));
  console.log(`${file}: ${licences.size} licences, ${models.length} models`);
  for (const fault of all) console.error(fault);
  process.exitCode = all.length > 0 ? 1 : 0;
}
