/** The npm package, built as integrators install it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import contract from '@presenza/contract/package.json';
import element from './package.json';

const MAX_BYTES = 40 * 1024;
const read = (file: string) => readFileSync(join(__dirname, file), 'utf8');

test('the package is public, has the version of the contract, and installs nothing else', () => {
  const { name, version, license } = element;
  expect({ name, version, license }).toEqual({
    name: '@presenza/liveness',
    version: contract.version,
    license: contract.license,
  });
  expect(Object.keys(element)).not.toEqual(expect.arrayContaining(['private']));
  expect(Object.keys(element)).not.toEqual(expect.arrayContaining(['dependencies']));
});

test('the module with English and the style sheet have at most 40 KB, gzipped', () => {
  const bytes = ['dist/index.js', 'dist/liveness.css'].map((file) => gzipSync(read(file)).length);
  expect(bytes[0]).toBeGreaterThan(5_000);
  expect(bytes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(MAX_BYTES);
});

test('the package and the site contain the license of each bundled package', () => {
  const licenses = read('dist/licenses.txt');
  expect(licenses).toContain(read('../../node_modules/uqr/LICENSE'));
  expect(read('../public/liveness/licenses.txt')).toBe(licenses);
});

test('the module loads no other script than texts', () => {
  const imports = read('dist/index.js').match(/\bimport\b[^;]{0,40}/g);
  expect(imports).toEqual([expect.stringContaining('./words/')]);
});

test('the module has no path of the machine that built it and no markup from strings', () => {
  expect(read('dist/index.js')).not.toMatch(
    /file:\/\/|innerHTML|insertAdjacentHTML|document\.write|\beval\(/,
  );
});

test('the archive for npm contains every file that the package exports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'presenza-element-'));
  try {
    const archive = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
      cwd: __dirname,
      encoding: 'utf8',
    }).trim();
    execFileSync('tar', ['-xzf', join(folder, archive), '-C', folder]);
    const { types, default: module } = element.exports['.'];
    const files = [
      types,
      module,
      element.exports['./liveness.css'],
      'dist/words/en.js',
      'dist/licenses.txt',
      'README.md',
      'LICENSE',
    ];
    expect(files.filter((file) => !existsSync(join(folder, 'package', file)))).toEqual([]);
    expect(['src', 'dist/hosted'].filter((file) => existsSync(join(folder, 'package', file)))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
