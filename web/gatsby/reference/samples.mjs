/**
 * Renders complete samples of each operation in each language from the templates of content/samples, the contract and
 * a recipe for the request. The build fails if a recipe does not match the contract.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { highlight } from '../highlight.mjs';
import { imagesOf, literal, STYLES } from './literals.mjs';

/**
 * @typedef {import('./contract-files.mjs').Contract} Contract
 * @typedef {import('./contract-files.mjs').Json} Json
 * @typedef {import('./literals.mjs').Value} Value
 * @typedef {import('./operations.mjs').Operation} Operation
 * @typedef {import('./fill.mjs').ReferenceTexts} ReferenceTexts
 * @typedef {{ operationId: string, body?: Value }} Recipe
 * @typedef {{ language: string, label: string, code: string, html: string }} Sample
 * @typedef {keyof ReferenceTexts['languages']} Language
 */

/** The grammar of each language, in the order of the tabs. @type {Record<string, string>} */
const LANGUAGES = {
  curl: 'bash',
  node: 'javascript',
  python: 'python',
  dart: 'dart',
  kotlin: 'kotlin',
  java: 'java',
  swift: 'swift',
};

/** Webhook handlers. The contract's own tests run these complete programs. @type {Record<string, [string, string]>} */
const RECEIVERS = {
  node: ['receiver.mjs', 'javascript'],
  python: ['receiver.py', 'python'],
  php: ['receiver.php', 'php'],
  dart: ['receiver.dart', 'dart'],
  kotlin: ['Receiver.kt', 'kotlin'],
  java: ['Receiver.java', 'java'],
  swift: ['Receiver.swift', 'swift'],
};

/** @param {string} folder of templates and recipes */
export async function readTemplates(folder) {
  const read = (/** @type {string} */ name) => readFile(join(folder, name), 'utf8');
  const texts = await Promise.all(
    Object.keys(LANGUAGES).map(async (name) => [name, await read(`${name}.txt`)]),
  );
  /** @type {{ apiUrl: string, recipes: Recipe[] }} */
  const { apiUrl, recipes } = JSON.parse(await read('recipes.json'));
  return { apiUrl, recipes, templates: /** @type {Record<string, string>} */ (Object.fromEntries(texts)) };
}

/** @typedef {Awaited<ReturnType<typeof readTemplates>>} Templates */

/**
 * @param {Operation} operation @param {Templates} templates @param {ReferenceTexts} texts
 * @returns {Sample[]} none without a recipe
 */
export function samplesOf(operation, { apiUrl, recipes, templates }, texts) {
  const recipe = recipes.find(({ operationId }) => operationId === operation.operationId);
  if (!recipe) return [];
  checkRecipe(recipe, operation);
  return Object.entries(LANGUAGES).map(([language, grammar]) => {
    const values = valuesFor(/** @type {Language} */ (language), operation, recipe, apiUrl);
    const code = renderTemplate(/** @type {string} */ (templates[language]), values);
    return sample(/** @type {Language} */ (language), code, grammar, texts);
  });
}

/** @param {Contract} contract @param {ReferenceTexts} texts @returns {Sample[]} */
export const receiverSamples = ({ receivers }, texts) =>
  Object.entries(RECEIVERS).map(([language, [file, grammar]]) => {
    const code = receivers[file];
    if (!code) throw new Error(`The contract lacks the receiver ${file}.`);
    return sample(/** @type {Language} */ (language), code, grammar, texts);
  });

/** @param {Language} language @param {string} code @param {string} grammar @param {ReferenceTexts} texts @returns {Sample} */
const sample = (language, code, grammar, texts) => ({
  language,
  label: texts.languages[language],
  code,
  html: highlight(code.trimEnd(), grammar),
});

/** @param {Recipe} recipe @param {Operation} operation */
function checkRecipe({ body = {} }, { operationId, request }) {
  const fields =
    request.find(({ type }) => type === 'application/json')?.fields.filter(({ depth }) => depth === 0) ?? [];
  const given = Object.keys(/** @type {object} */ (body));
  const unknown = given.filter((name) => !fields.some((field) => field.name === name));
  const missing = fields
    .filter(({ name, required }) => required && !given.includes(name))
    .map(({ name }) => name);
  if (unknown.length > 0) throw new Error(`The sample of ${operationId} sends unknown fields: ${unknown}.`);
  if (missing.length > 0) throw new Error(`The sample of ${operationId} lacks required fields: ${missing}.`);
}

/**
 * The values of the templates.
 * @param {Language} language @param {Operation} operation @param {Recipe} recipe @param {string} apiUrl
 * @returns {Record<string, string | boolean>}
 */
function valuesFor(language, { method, path, needsKey, operationId, request }, { body }, apiUrl) {
  const images = body === undefined ? [] : imagesOf(body);
  const hasBody = body !== undefined;
  const hasParameter = path.includes('{');
  const shared = {
    apiUrl,
    method,
    verb: method.toLowerCase(),
    auth: needsKey,
    parameter: hasParameter,
    images: images.length > 0,
    body: hasBody && literal(body, STYLES[/** @type {keyof typeof STYLES} */ (language)] ?? STYLES.json),
    path: path.replace(/\{(\w+)\}/g, (_, name) => PARAMETERS[language]?.(name) ?? ''),
  };
  switch (language) {
    case 'curl':
      return {
        ...shared,
        ...imageValues(images, body, request),
        option: method === 'DELETE' ? ' -X DELETE' : '',
        more: needsKey || hasBody ? ' \\' : '',
        moreBody: hasBody ? ' \\' : '',
      };
    case 'node': {
      const names = [needsKey && 'API_KEY', `API_URL = '${apiUrl}'`, hasParameter && 'SESSION_ID'];
      return { ...shared, variables: names.filter(Boolean).join(', ') };
    }
    case 'java':
      return {
        ...shared,
        className: `${operationId[0]?.toUpperCase()}${operationId.slice(1)}`,
        path: hasParameter ? `"${path.replace(/\{.*\}/, '')}" + sessionId` : `"${path}"`,
        arguments:
          images.length > 0 && `.formatted(${images.map((file) => `dataUri("${file}")`).join(', ')})`,
      };
    default:
      return shared;
  }
}

/**
 * cURL sends images as files, where the operation accepts a form.
 * @param {string[]} images @param {Value | undefined} body @param {Operation['request']} request
 */
function imageValues(images, body, request) {
  if (images.length === 0) return { form: false };
  if (!request.some(({ type }) => type === 'multipart/form-data'))
    return { form: false, arguments: images.map((file) => `"$(data_uri ${file})"`).join(' \\\n') };
  const fields = Object.entries(/** @type {Record<string, Value>} */ (body)).map(([name, value]) => {
    const [file] = imagesOf(value);
    return `-F ${name}=${file === undefined ? value : `@${file}`}`;
  });
  return { images: false, body: false, form: fields.join(' \\\n') };
}

/** A path parameter in a string of each language. @type {Partial<Record<Language, (name: string) => string>>} */
const PARAMETERS = {
  curl: (name) => `$${snake(name).toUpperCase()}`,
  python: (name) => `{${snake(name)}}`,
  node: (name) => `\${${snake(name).toUpperCase()}}`,
  dart: (name) => `$${name}`,
  kotlin: (name) => `$${name}`,
  swift: (name) => `\\(${name})`,
};

/** @param {string} name */
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * The subset of Mustache that the samples need: `{{name}}` is a value, `{{#name}}...{{/name}}` appears if the value
 * is truthy, `{{^name}}...{{/name}}` if not. A tag alone on its line removes the line. The further lines of a
 * value are indented like its first line, unlike in Mustache.
 *
 * @param {string} template
 * @param {Record<string, string | boolean>} values
 * @throws Error for a name without a value
 */
function renderTemplate(template, values) {
  const lookUp = (/** @type {string} */ name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`A sample uses {{${name}}}, which has no value.`);
    return value;
  };
  const alone = template.replace(/^[ \t]*(\{\{[#^/]\w+\}\})[ \t]*\n/gm, '$1');
  const lines = renderSections(alone, (name) => Boolean(lookUp(name))).split('\n');
  return lines.map((line) => fillLine(line, (name) => String(lookUp(name)))).join('\n');
}

/** @param {string} line @param {(name: string) => string} lookUp */
function fillLine(line, lookUp) {
  const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
  return line.replace(/\{\{(\w+)\}\}/g, (_, name) => lookUp(name).replaceAll('\n', `\n${indent}`));
}

/** @param {string} text @param {(name: string) => boolean} isThere @returns {string} */
function renderSections(text, isThere) {
  return text.replace(/\{\{([#^])(\w+)\}\}([\s\S]*?)\{\{\/\2\}\}/g, (_, kind, name, content) =>
    isThere(name) === (kind === '#') ? renderSections(content, isThere) : '',
  );
}
