/** Runs a JavaScript or TypeScript sample in this process, as a module of the reader. */
import { transformSync } from '@swc/core';

// biome-ignore lint/suspicious/noExplicitAny: samples export functions of any type
export type Exports = Record<string, any>;

export interface Surroundings {
  /** Names that the sample takes from the reader's program, or from Node.js. */
  readonly names?: Readonly<Record<string, unknown>>;
  /** Replacements of packages that are not installed here. */
  readonly modules?: Readonly<Record<string, unknown>>;
  /** Names that the sample declares without exporting them. */
  readonly also?: readonly string[];
}

const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<void>;

/** @returns the exports of the sample, once its last statement has run */
export async function runScript(code: string, surroundings: Surroundings = {}): Promise<Exports> {
  const { names = {}, modules = {}, also = [] } = surroundings;
  const source = also.length > 0 ? `${code}\nexport { ${also.join(', ')} };` : code;
  const { code: compiled } = transformSync(source, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  const exported: Exports = {};
  const load = (name: string) => modules[name] ?? require(name);
  const run = new AsyncFunction('exports', 'require', ...Object.keys(names), compiled);
  await run(exported, load, ...Object.values(names));
  return exported;
}
