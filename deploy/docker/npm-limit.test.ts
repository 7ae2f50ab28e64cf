// npm with npm-limit.cjs, by a stand-in for npm that counts how many packages it unpacks at once.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from '../../gateway/harness/folders.mjs';

/** Unpacks 200 packages, the first of which fail. */
const PROGRAM = `
const pacote = require('pacote');
const jobs = Array.from({ length: 200 }, (_, index) => pacote.extract(index).then(() => 'done', () => 'failed'));
Promise.all(jobs).then((ends) => {
  const failed = ends.filter((end) => end === 'failed').length;
  console.log(JSON.stringify({ most: pacote.most, failed, ended: ends.length }));
});
`;
const PACOTE = `
let now = 0;
exports.most = 0;
exports.extract = async (index) => {
  exports.most = Math.max(exports.most, ++now);
  await new Promise(setImmediate);
  now--;
  if (index < 50) throw new Error('not found');
};
`;

function unpack(folder: string, program: string) {
  mkdirSync(join(folder, 'node_modules/pacote'), { recursive: true });
  writeFileSync(join(folder, 'node_modules/pacote/index.js'), PACOTE);
  writeFileSync(join(folder, program), PROGRAM);
  const args = ['--require', join(__dirname, 'npm-limit.cjs'), join(folder, program)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

test('npm unpacks at most 32 packages at once, also when some of them fail', async () => {
  await withFolder((folder) => {
    expect(unpack(folder, 'npm-cli.js')).toEqual({ most: 32, failed: 50, ended: 200 });
  });
});

test('another program that npm starts is not limited', async () => {
  await withFolder((folder) => {
    expect(unpack(folder, 'other.js').most).toBe(200);
  });
});
