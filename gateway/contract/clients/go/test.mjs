/**
 * Tests the Go library against the service at API_URL with API_KEY and the photo IMAGE, and runs the README's first example
 * and the failure scenarios in a clean folder.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withFolder } from '../../../harness/index.mjs';
import { tryFailures } from '../failures/run.mjs';
import { firstExample } from '../first-example.mjs';
import { buildLibrary } from '../packages/build.mjs';

const MODULE = 'presenza.example/presenza';

const folder = fileURLToPath(new URL('.', import.meta.url));
const build = await buildLibrary('go');
const go = (cwd, ...args) =>
  execFileSync('go', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

go(build, 'vet', './...');
process.stdout.write(go(build, 'test', '-count=1', './...'));

await withFolder(async (clean) => {
  writeFileSync(join(clean, 'main.go'), firstExample(folder, 'go'));
  go(clean, 'mod', 'init', 'example');
  // Stands for the published module.
  go(clean, 'mod', 'edit', `-require=${MODULE}@v0.0.0`, `-replace=${MODULE}=${build}`);
  const printed = go(clean, 'run', '.');
  if (!/VerificationURL:http\S+ .*<nil>\n$/.test(printed)) throw new Error(`The example printed ${printed}`);
  cpSync(join(folder, 'failures/main.go'), join(clean, 'main.go'));
  await tryFailures(clean, ['go', 'run', '.']);
});
process.stdout.write('The README works in a clean folder.\n');
