/** Writes the OpenAPI document as a download. The service serves the same document at /openapi.json. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONTRACT } from '../contract-file.mjs';

/** Notes for maintainers of the contract, and file names. */
const NOTES = new Set(['$id', '$schema', '$comment', 'x-comment']);

/** @typedef {null | boolean | number | string | Json[] | { [key: string]: Json }} Json */

/** @param {string} publicDir */
export async function writeOpenapi(publicDir) {
  await writeFile(join(publicDir, 'openapi.json'), `${JSON.stringify(await bundleOpenapi(), null, 2)}\n`);
}

/** Schemas become components, external examples are inlined, and internal notes are removed. */
async function bundleOpenapi() {
  const document = await bundle(await read('openapi.json'));
  const files = await readdir(join(CONTRACT, 'schemas'));
  const schemas = await Promise.all(
    files.map(async (file) => [componentName(file), await bundle(await read(`schemas/${file}`))]),
  );
  document.components.schemas = Object.fromEntries(schemas);
  return document;
}

/** @param {string} file @returns {Promise<Json>} */
const read = async (file) => JSON.parse(await readFile(join(CONTRACT, file), 'utf8'));

/** @param {Json} node @returns {Promise<any>} */
async function bundle(node) {
  if (Array.isArray(node)) return Promise.all(node.map(bundle));
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(([key]) => !NOTES.has(key));
  return Object.fromEntries(await Promise.all(entries.map(([key, value]) => entryOf(key, value))));
}

/** @param {string} key @param {Json} value @returns {Promise<[string, Json]>} */
async function entryOf(key, value) {
  if (typeof value === 'string') {
    if (key === 'externalValue') return ['value', await read(value)];
    if (key === '$ref' && value.endsWith('.json'))
      return [key, `#/components/schemas/${componentName(value)}`];
  }
  return [key, await bundle(value)];
}

/** `schemas/detect-request.json` and `detect-request.json` are `DetectRequest`. @param {string} file */
function componentName(file) {
  const words = file.replace(/^schemas\/|\.json$/g, '').split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
