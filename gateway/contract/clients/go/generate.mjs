/**
 * Writes the Go module into `build`: the files of this folder, and the methods and types that oapi-codegen generates from
 * the contract. Needs Go. `build` is ready to publish as a repository.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientDocument, retryable } from '../document.mjs';
import { webhookExample } from '../webhook-example.mjs';

const GENERATOR = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';

const folder = fileURLToPath(new URL('.', import.meta.url));
const build = join(folder, 'build');

rmSync(build, { recursive: true, force: true });
mkdirSync(join(build, 'testdata'), { recursive: true });
for (const file of readdirSync(folder).filter((name) => /\.(?:go|mod|md)$/.test(name)))
  cpSync(join(folder, file), join(build, file));
cpSync(join(folder, '../../../../LICENSE'), join(build, 'LICENSE'));
const codes = JSON.stringify(retryable());
writeFileSync(join(build, 'retryable.go'), `package presenza\n\nvar retryable = map[string]bool${codes}\n`);
writeFileSync(join(build, 'testdata/webhook.json'), JSON.stringify(webhookExample()));
writeFileSync(join(build, 'openapi.json'), JSON.stringify(clientDocument()));
execFileSync('go', ['run', GENERATOR, '--config=oapi-codegen.yaml', 'build/openapi.json'], {
  cwd: folder,
  stdio: 'inherit',
});
execFileSync('gofmt', ['-w', build]);
