/**
 * Writes a library into its folder `build`, ready to publish: `node build.mjs typescript`, `python`, `go` or `java`. Run
 * `npm run client -w gateway/contract` before, if the contract has changed.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { goPackage, javaPackage, pythonPackage, typescriptPackage } from './index.mjs';

const PACKAGES = { typescript: typescriptPackage, python: pythonPackage, go: goPackage, java: javaPackage };

/** @param {string} language @returns {Promise<string>} the folder */
export async function buildLibrary(language) {
  const build = fileURLToPath(new URL(`../${language}/build`, import.meta.url));
  rmSync(build, { recursive: true, force: true });
  for (const [path, content] of Object.entries(await PACKAGES[language]())) {
    mkdirSync(dirname(join(build, path)), { recursive: true });
    writeFileSync(join(build, path), content);
  }
  return build;
}

const [, program, language = ''] = process.argv;
if (program === fileURLToPath(import.meta.url)) {
  if (!Object.hasOwn(PACKAGES, language))
    throw new Error(`Name a library: ${Object.keys(PACKAGES).join(', ')}.`);
  void buildLibrary(language);
}
