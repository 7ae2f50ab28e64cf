/**
 * Tests the Python package in a clean environment against the service at API_URL with API_KEY and the photo IMAGE: the
 * README's first example, the failure scenarios, and the tests of this folder.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withFolder } from '../../../harness/index.mjs';
import { tryFailures } from '../failures/run.mjs';
import { firstExample } from '../first-example.mjs';
import { buildLibrary } from '../packages/build.mjs';
import { webhookExample } from '../webhook-example.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const env = {
  ...process.env,
  PIP_CONSTRAINT: join(folder, 'constraints.txt'),
  WEBHOOK_EXAMPLE: JSON.stringify(webhookExample()),
};

await withFolder(async (environment) => {
  const run = (command, ...args) =>
    execFileSync(command, args, {
      cwd: environment,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  run('python3', '-m', 'venv', '.');
  run('bin/pip', 'install', '--quiet', '--disable-pip-version-check', await buildLibrary('python'));
  mkdirSync(join(environment, 'clean'));
  writeFileSync(join(environment, 'clean/first.py'), firstExample(folder, 'python'));
  const printed = run('bin/python', 'clean/first.py');
  if (!/^Send the user to http\S+\n$/.test(printed)) throw new Error(`The example printed ${printed}`);
  console.log('ok README');
  await tryFailures(environment, [join(environment, 'bin/python'), join(folder, 'tests/failures.py')]);
  run('bin/python', '-m', 'unittest', 'discover', join(folder, 'tests'));
});
