// Runs kustomize, for the tests of this folder and of the Helm chart. As a program it prints the base with components:
// `node deploy/kubernetes/build.mjs COMPONENT...`

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHECKOUT_STATE } from '../../gateway/harness/cli/paths.mjs';
import { findTool, KUSTOMIZE } from '../../gateway/harness/setup/tools.mjs';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** Path of kustomize; undefined if it is not installed. */
export const kustomize = findTool(KUSTOMIZE);

/**
 * @param {string | readonly string[]} source path of a folder below this one, or names of components to add to the base
 * @returns {string} YAML
 * @throws {Error} with kustomize's message
 */
export function kustomizeBuild(source) {
  if (typeof source === 'string') return run(join(FOLDER, source));
  return withScratch((scratch) => {
    const from = (/** @type {string} */ path) => relative(scratch, join(FOLDER, path));
    const components = source.map((component) => from(`components/${component}`));
    writeFileSync(
      join(scratch, 'kustomization.yaml'),
      JSON.stringify({ kind: 'Kustomization', resources: [from('base')], components }),
    );
    return run(scratch);
  });
}

/** @param {string} folder */
const run = (folder) =>
  execFileSync(kustomize ?? KUSTOMIZE.name, ['build', folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/**
 * Calls `use` with a new folder, and removes it at the end. The folder is inside the checkout, where kustomize accepts
 * relative paths and TypeScript finds types, but ignored by Git.
 * @template T
 * @param {(folder: string) => T} use
 * @returns {T}
 */
export function withScratch(use) {
  mkdirSync(CHECKOUT_STATE, { recursive: true });
  const folder = mkdtempSync(join(CHECKOUT_STATE, 'kubernetes-test-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(kustomizeBuild(process.argv.slice(2)));
