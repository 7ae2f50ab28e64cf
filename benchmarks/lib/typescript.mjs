/** Loads TypeScript files that have no build, such as test helpers. swc strips the types. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { transformFileSync } from '@swc/core';
import { ROOT } from './paths.mjs';

const require = createRequire(import.meta.url);

require.extensions['.ts'] = (module, file) => {
  const { code } = transformFileSync(file, {
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  });
  // The types of Node do not include this method, which compiles a text as a module.
  /** @type {{ _compile(code: string, file: string): void }} */ (/** @type {unknown} */ (module))._compile(
    code,
    file,
  );
};

/** @param {string[]} path of a file below the repository */
export const loadTypescript = (...path) => require(join(ROOT, ...path));
