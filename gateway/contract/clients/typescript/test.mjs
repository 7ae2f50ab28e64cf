/**
 * Tests the npm package in a clean folder against the service at API_URL with API_KEY and the photo IMAGE: the README's
 * first example, the failure scenarios, and a program that makes each call.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withFolder } from '../../../harness/index.mjs';
import { tryFailures } from '../failures/run.mjs';
import { firstExample } from '../first-example.mjs';
import { installPackage } from './install-package.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));

await withFolder(async (clean) => {
  const node = (...args) => execFileSync(process.execPath, args, { cwd: clean, encoding: 'utf8' });
  await installPackage(clean);
  writeFileSync(join(clean, 'first.mjs'), firstExample(folder, 'js'));
  const printed = node('first.mjs');
  if (!/^Send the user to http\S+\n$/.test(printed)) throw new Error(`The example printed ${printed}`);
  console.log('ok README');
  cpSync(join(folder, 'failures.mjs'), join(clean, 'failures.mjs'));
  await tryFailures(clean, [process.execPath, 'failures.mjs']);
  cpSync(join(folder, 'service.check.mjs'), join(clean, 'service.test.mjs'));
  console.log(node('--test', 'service.test.mjs'));
});
