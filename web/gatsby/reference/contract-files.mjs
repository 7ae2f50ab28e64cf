/** Reads the whole contract, from its folder or from a modified copy. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONTRACT } from '../contract-file.mjs';

/**
 * Documents are untyped here: the contract's own tests check their form.
 * @typedef {any} Json
 * @typedef {{ openapi: Json, errors: Json, events: Json[], plans: Json[], brand: Json, limits: Json, schemas: Record<string, Json>, examples: Record<string, Json>, receivers: Record<string, string> }} Contract
 */

/** @param {string} [folder] @returns {Promise<Contract>} */
export async function readContract(folder = CONTRACT) {
  const [openapi, errors, events, plans, brand, limits] = await Promise.all(
    ['openapi', 'errors', 'events', 'plans', 'brand', 'limits'].map((name) =>
      readJson(join(folder, `${name}.json`)),
    ),
  );
  const [schemas, examples, receivers] = await Promise.all([
    readFolder(join(folder, 'schemas'), readJson),
    readFolder(join(folder, 'examples'), readJson),
    readFolder(join(folder, 'receivers'), (file) => readFile(file, 'utf8')),
  ]);
  return { openapi, errors, events, plans, brand, limits, schemas, examples, receivers };
}

/** @param {string} file @returns {Promise<Json>} */
const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'));

/**
 * Reads all files of a folder; the result is keyed by file name.
 * @template T
 * @param {string} folder @param {(file: string) => Promise<T>} read @returns {Promise<Record<string, T>>}
 */
async function readFolder(folder, read) {
  const names = (await readdir(folder)).sort();
  const files = await Promise.all(names.map(async (name) => [name, await read(join(folder, name))]));
  return Object.fromEntries(files);
}
