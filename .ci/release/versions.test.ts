/** Every place that carries the version of the product has the one of package.json. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../gateway/harness/cli/paths.mjs';
import { PLACES, placePattern } from './set-version.mjs';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { version, workspaces } = JSON.parse(read('package.json'));

const places = [...PLACES].flatMap(([file, patterns]) => patterns.map((before) => [file, before] as const));

test.each(places)('%s has the version of package.json behind %s', (file, before) => {
  const versions = [...read(file).matchAll(placePattern(before))].map((match) => match.at(-1));
  expect(new Set(versions)).toEqual(new Set([version]));
});

test('the lockfile has the version of every workspace', () => {
  const { packages } = JSON.parse(read('package-lock.json'));
  expect(['', ...workspaces].map((folder: string) => [folder, packages[folder].version])).toEqual(
    ['', ...workspaces].map((folder: string) => [folder, version]),
  );
});

test('workspaces accept any version of each other, so that a release changes no dependency', () => {
  for (const folder of workspaces) {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(read(`${folder}/package.json`));
    for (const [name, range] of [...Object.entries(dependencies), ...Object.entries(devDependencies)])
      if (name.startsWith('@presenza/')) expect([folder, name, range]).toEqual([folder, name, '*']);
  }
});

/** Files in which this version is that of something else, or of an earlier release. */
const OTHER_VERSIONS = [
  /^CHANGELOG\.md$/,
  // They explain releases by a made-up version.
  /^(?:\.ci|\.github)\/|^CONTRIBUTING\.md$/,
  /^gateway\/contract\/compatibility\/released\.json$/,
  // Versions of packages. PLACES has the ones of this product.
  /(?:^|\/)(?:package(?:-lock)?\.json|pom\.xml|pyproject\.toml|go\.(?:mod|sum)|(?:requirements|constraints)\.txt)$/,
  // Example apps have versions of their own.
  /^gateway\/contract\/apps\//,
  // Tests have made-up versions.
  /\.test\.tsx?$/,
  /^benchmarks\/results\//,
];

test('no other file carries the version: set-version.mjs would not change it', () => {
  const pattern = new RegExp(`(?<![\\w.^~=-])v?${version.replaceAll('.', '\\.')}(?!\\.?\\d).*`, 'g');
  const files = execFileSync('git', ['grep', '-lIF', version], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => !OTHER_VERSIONS.some((other) => other.test(file)));
  expect(files.length).toBeGreaterThan(10);
  const strays = files.flatMap((file) => {
    const listed = PLACES.get(file) ?? [];
    const rest = listed.reduce((text, before) => text.replace(placePattern(before), '$1'), read(file));
    return [...rest.matchAll(pattern)].map(([line]) => `${file}: ${line}`);
  });
  expect(strays).toEqual([]);
});
