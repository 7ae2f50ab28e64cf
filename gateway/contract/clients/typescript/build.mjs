/**
 * Writes the npm package into `build`: the client in `gateway/contract/client` as JavaScript with type declarations.
 * `npm publish build` publishes it. Run `npm run client -w gateway/contract` before, if the contract has changed.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const build = join(folder, 'build');
const compiler = createRequire(import.meta.url).resolve('typescript/package.json');

rmSync(build, { recursive: true, force: true });
execFileSync(process.execPath, [join(compiler, '../bin/tsc'), '--project', folder], { stdio: 'inherit' });
for (const file of ['package.json', 'README.md', '../../../../LICENSE', '../../client/types.d.ts'])
  copyFileSync(join(folder, file), join(build, file.split('/').at(-1)));
// The compiler leaves the extensions in declarations as they are, but older compilers accept only .js.
for (const file of readdirSync(build).filter((name) => name.endsWith('.d.ts'))) {
  const text = readFileSync(join(build, file), 'utf8');
  writeFileSync(join(build, file), text.replace(/(from '\.\/[\w-]+)(?:\.d)?\.ts';/g, "$1.js';"));
}
