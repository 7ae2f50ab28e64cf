/** The npm package: the client in `gateway/contract/client` as JavaScript with type declarations. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const folder = fileURLToPath(new URL('../typescript', import.meta.url));
const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
const OTHERS = ['package.json', 'README.md', '../../../../LICENSE', '../../client/types.d.ts'];

/** @returns {Promise<Record<string, string>>} by path */
export async function typescriptPackage() {
  const compiled = mkdtempSync(join(tmpdir(), 'presenza-typescript-'));
  try {
    const options = ['--project', folder, '--outDir', compiled];
    await promisify(execFile)(process.execPath, [join(compiler, '../bin/tsc'), ...options]);
    const files = [
      ...readdirSync(compiled).map((name) => join(compiled, name)),
      ...OTHERS.map((file) => join(folder, file)),
    ];
    return Object.fromEntries(
      files.map((file) => {
        const name = file.split('/').at(-1);
        const text = readFileSync(file, 'utf8');
        return [name, name.endsWith('.d.ts') ? withExtensions(text) : text];
      }),
    );
  } finally {
    rmSync(compiled, { recursive: true });
  }
}

/** The compiler leaves the extensions in declarations as they are, but older compilers accept only .js. */
const withExtensions = (text) => text.replace(/(from '\.\/[\w-]+)(?:\.d)?\.ts';/g, "$1.js';");
