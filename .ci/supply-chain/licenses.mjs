// `npm run licenses`: checks policy.json against the license of every package that is deployed or builds the site, and
// against the license and the training data of every model. Writes .data/licenses.md, which is never committed. The
// exit code is 1 if the policy does not cover something. The images contain the license texts, inside their packages.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import satisfies from 'spdx-satisfies';
import { refuseArguments } from '../../gateway/harness/cli/arguments.mjs';
import { CHECKOUT_STATE, ROOT } from '../../gateway/harness/cli/paths.mjs';
import { runMain } from '../../gateway/harness/cli/stop.mjs';
import { readModels, readPackages } from './inventory.mjs';

/**
 * @typedef {object} Policy
 * @property {string[]} allowed SPDX identifiers
 * @property {{ package: string, license: string, reason: string }[]} exceptions a name may end with `*`, for libraries
 *   with one package per platform
 * @property {{ package: string, license: string, file: string, says: string }[]} clarified packages that declare no
 *   license in package.json, with the file that does
 * @property {Record<string, string>} weightsWithoutLicense models whose weights have no license, with the reason to
 *   ship them
 * @property {Record<string, string>} researchData models trained on data that was released for research
 * @property {Record<string, string>} installScripts packages with an install script, and what it does
 */

/** @returns {Policy} */
export const readPolicy = () =>
  JSON.parse(readFileSync(fileURLToPath(new URL('policy.json', import.meta.url)), 'utf8'));

/**
 * Whether the allowed identifiers satisfy an SPDX expression. Text that is not such an expression is never allowed.
 * @param {string} expression @param {readonly string[]} allowed
 */
export function isAllowed(expression, allowed) {
  try {
    return satisfies(expression, allowed);
  } catch {
    return false;
  }
}

/** @param {{ package: string }} entry of the policy @param {string} name of a package */
const isOf = ({ package: pattern }, name) =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/**
 * @param {readonly import('./inventory.mjs').LockedPackage[]} packages
 * @param {Policy} policy
 * @param {(path: string) => string | undefined} read text of a file in an installed package
 * @returns {{ licenses: Map<string, string[]>, faults: string[] }} packages by license, and faults as sentences
 */
export function judgePackages(packages, policy, read = readInstalled) {
  /** @type {Map<string, string[]>} */
  const licenses = new Map();
  /** @type {string[]} */
  const faults = [];
  for (const { name, version, path, license: stated, development } of packages) {
    if (development) continue;
    const clarified = policy.clarified.find((candidate) => candidate.package === name);
    const license = stated ?? clarified?.license;
    const title = `${name} ${version}`;
    if (license === undefined) {
      faults.push(`${title} declares no license: read its files and clarify it in policy.json.`);
      continue;
    }
    if (!stated && clarified) {
      const text = read(join(path, clarified.file));
      // Optional packages of other platforms are not installed.
      if (text !== undefined && !text.replace(/\s+/g, ' ').includes(clarified.says))
        faults.push(`${title}: ${clarified.file} no longer contains the text that policy.json quotes.`);
    }
    const excepted = policy.exceptions.some(
      (exception) => isOf(exception, name) && exception.license === license,
    );
    if (!excepted && !isAllowed(license, policy.allowed))
      faults.push(`${title} is under ${license}, which policy.json neither allows nor excepts.`);
    const group = licenses.get(license) ?? [];
    licenses.set(license, [...group, title]);
  }
  for (const entry of [...policy.exceptions, ...policy.clarified]) {
    if (!packages.some((installed) => isOf(entry, installed.name) && !installed.development))
      faults.push(`policy.json names ${entry.package}, which no deployed package needs.`);
  }
  return { licenses, faults };
}

/** License names as manifests write them. */
const weightLicense = /\b(MIT|Apache-2\.0|BSD-[23]-Clause|CC0|CC BY 4\.0)\b/;

/**
 * @param {readonly import('./inventory.mjs').Model[]} models
 * @param {Pick<Policy, 'weightsWithoutLicense' | 'researchData'>} policy
 * @returns {string[]} faults as sentences
 */
export function judgeModels(models, { weightsWithoutLicense, researchData }) {
  /** @type {string[]} */
  const faults = [];
  for (const { id, license, trainingData } of models) {
    if (!license || !trainingData) faults.push(`The model ${id} states no license or no training data.`);
    const weights = license.slice(Math.max(0, license.indexOf('weights')));
    const licensed = weightLicense.test(weights) || /package and weights/.test(license);
    if (licensed === id in weightsWithoutLicense)
      faults.push(`policy.json and the manifest of ${id} disagree on whether its weights have a license.`);
    if (/research/i.test(trainingData) !== id in researchData)
      faults.push(
        `policy.json and the manifest of ${id} disagree on whether its training data was released for research.`,
      );
  }
  for (const id of [...Object.keys(weightsWithoutLicense), ...Object.keys(researchData)]) {
    if (!models.some((model) => model.id === id))
      faults.push(`policy.json names the model ${id}, which is not in the catalogue.`);
  }
  return faults;
}

/** @param {string} path */
function readInstalled(path) {
  const file = join(ROOT, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** @param {Map<string, string[]>} licenses @param {readonly import('./inventory.mjs').Model[]} models @param {Policy} policy */
function report(licenses, models, policy) {
  const groups = [...licenses].sort((group, other) => other[1].length - group[1].length);
  const row = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [
    '# Licenses of everything that Presenza ships or builds with',
    '',
    ...groups.flatMap(([license, names]) => [
      `## ${license} (${names.length})`,
      '',
      ...policy.exceptions
        .filter((entry) => entry.license === license)
        .map((entry) => `- ${entry.package}: ${entry.reason}`),
      '',
      [...new Set(names)].sort().join(', '),
      '',
    ]),
    '## Models',
    '',
    row(['Model', 'License', 'Training data', 'To decide']),
    row(['---', '---', '---', '---']),
    ...models.map(({ id, license, trainingData }) =>
      row([
        id,
        license,
        trainingData,
        [policy.weightsWithoutLicense[id], policy.researchData[id]].filter(Boolean).join(' '),
      ]),
    ),
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  runMain(async () => {
    refuseArguments('npm run licenses');
    const policy = readPolicy();
    const models = readModels();
    const { licenses, faults } = judgePackages(readPackages(), policy);
    const all = [...faults, ...judgeModels(models, policy)];
    mkdirSync(CHECKOUT_STATE, { recursive: true });
    const file = join(CHECKOUT_STATE, 'licenses.md');
    writeFileSync(file, report(licenses, models, policy));
    console.log(`${file}: ${licenses.size} licenses, ${models.length} models`);
    for (const fault of all) console.error(fault);
    return all.length > 0 ? 1 : 0;
  });
}
