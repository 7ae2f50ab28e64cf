// The program of the load as a ConfigMap: the file and everything that it imports, in the folders that they have here.

import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../../../../gateway/harness/cli/paths.mjs';
import { importsOf, resolveImport } from '../../../../gateway/harness/imports.mjs';

export const ENTRY = 'deploy/kubernetes/cluster-test/load/pod.mjs';

/**
 * @param {string} [entry] path from the root of the repository
 * @returns {string[]} paths of the file and of all that it imports
 * @throws Error where one of them imports a package, which the pod does not have
 */
export function filesOf(entry = ENTRY) {
  const files = new Set([entry]);
  for (const file of files) {
    for (const { specifier, typeOnly } of importsOf(join(ROOT, file))) {
      if (typeOnly || specifier.startsWith('node:')) continue;
      const path = resolveImport(join(ROOT, file), specifier);
      if (path === undefined) throw new Error(`${file} imports ${specifier}, which is not a file.`);
      files.add(relative(ROOT, path));
    }
  }
  return [...files];
}

/** @param {{ name: string, namespace: string }} metadata */
export function bundleOf(metadata) {
  const files = filesOf();
  const keyOf = (/** @type {string} */ file) => file.replaceAll('/', '_');
  return {
    configMap: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: Object.fromEntries(files.map((file) => [keyOf(file), readFileSync(join(ROOT, file), 'utf8')])),
    },
    volume: {
      configMap: { name: metadata.name, items: files.map((file) => ({ key: keyOf(file), path: file })) },
    },
  };
}
