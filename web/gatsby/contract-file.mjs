/** Locates and reads the files of the API contract. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export const CONTRACT = dirname(createRequire(import.meta.url).resolve('@presenza/contract/openapi.json'));

/** @param {string} name without extension, such as `limits` or `examples/detect-response` @returns {Promise<any>} */
export const readContractFile = async (name) =>
  JSON.parse(await readFile(join(CONTRACT, `${name}.json`), 'utf8'));
