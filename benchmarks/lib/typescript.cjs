/**
 * Lets CommonJS load the TypeScript of test helpers, which have no build and which Node 20 cannot run. swc strips the types.
 */
const { transformFileSync } = require('@swc/core');

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
