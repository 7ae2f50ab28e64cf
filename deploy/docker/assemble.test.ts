// The packages that an image contains, and the files of each.

import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withFolder } from '../../gateway/harness/folders.mjs';
import { copyFiles, copyPackages, isNeeded, reachedPackages } from './assemble.mjs';

const ROOT = join(__dirname, '../..');

/** Names of the packages that a workspace of this repository reaches. */
const reached = (options: { from: string; only?: string[] }) =>
  reachedPackages({ root: ROOT, ...options }).map(({ name }) => name);

describe('the workspaces of this repository', () => {
  test('the gateway takes its dependencies, and no machine-learning runtime', async () => {
    const names = reached({ from: 'gateway' });
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'gateway/package.json'), 'utf8'));
    expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
    expect(names).toContain('denque'); // a dependency of ioredis
    for (const name of ['onnxruntime-node', '@tensorflow/tfjs', 'typescript', 'gatsby']) {
      expect(names).not.toContain(name);
    }
  });

  test('the site takes the imports of its server', async () => {
    const dockerfile = readFileSync(join(__dirname, 'web.Dockerfile'), 'utf8');
    const copied = [...dockerfile.matchAll(/ \/app\/web\/([\w-]+\.mjs)/g)].map(([, name = '']) => name);
    const sources = copied.map((name) => readFileSync(join(ROOT, 'web', name), 'utf8'));
    for (const [, file = ''] of sources.join('\n').matchAll(/^import .* from '\.\/([^']*)';$/gm))
      expect(copied).toContain(file);
    const imported = [...sources.join('\n').matchAll(/^import .* from '([^.'][^']*)';$/gm)]
      .map(([, name = '']) => name)
      .filter((name) => !name.startsWith('node:'));
    const [, only = ''] = /--only (\S+)/.exec(dockerfile) ?? [];
    expect(only.split(',').sort()).toEqual(imported.sort());
    expect(reached({ from: 'web', only: only.split(',') })).toEqual(
      expect.arrayContaining([...imported, 'negotiator']),
    );
  });
});

/** A repository with a workspace and packages, as npm lays them out. */
async function withRepository(use: (root: string) => Promise<void>) {
  await withFolder(async (root) => {
    const put = (path: string, text = '') => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    put(
      'app/package.json',
      '{ "dependencies": { "a": "1", "words": "1" }, "optionalDependencies": { "absent": "1" } }',
    );
    put('app/node_modules/b/package.json', '{ "version": "1.0.0" }');
    put('words/package.json', '{ "dependencies": { "of-words": "1" } }');
    put(
      'node_modules/a/package.json',
      '{ "dependencies": { "b": "2" }, "peerDependencies": { "absent": "1" } }',
    );
    for (const file of ['index.js', 'index.js.map', 'index.d.ts', 'README.md', 'LICENSE.md', 'data.json']) {
      put(`node_modules/a/${file}`);
    }
    put('node_modules/a/node_modules/b/package.json', '{ "version": "2.0.0" }');
    put('node_modules/a/node_modules/unused/package.json', '{}');
    put('node_modules/of-words/package.json', '{}');
    put('node_modules/unused/package.json', '{}');
    symlinkSync('../words', join(root, 'node_modules/words'));
    await use(root);
  });
}

test('copies each reached package from where Node would find it', async () => {
  await withRepository(async (root) => {
    const to = join(root, 'image');
    copyPackages({ root, to, packages: reachedPackages({ root, from: 'app' }) });
    const files = readdirSync(to, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(to.length + 1));
    expect(files.sort()).toEqual([
      'node_modules/a/LICENSE.md',
      'node_modules/a/data.json',
      'node_modules/a/index.js',
      'node_modules/a/node_modules/b/package.json',
      'node_modules/a/package.json',
      'node_modules/of-words/package.json',
      'node_modules/words',
    ]);
    expect(lstatSync(join(to, 'node_modules/words')).isSymbolicLink()).toBe(true);
  });
});

test('takes only the manifest of some packages, and none of their dependencies', async () => {
  await withRepository(async (root) => {
    expect(reachedPackages({ root, from: 'app', manifestOnly: ['a'] })).toEqual([
      { name: 'a', folder: join(root, 'node_modules/a'), manifestOnly: true },
      { name: 'words', folder: join(root, 'node_modules/words'), manifestOnly: false },
      { name: 'of-words', folder: join(root, 'node_modules/of-words'), manifestOnly: false },
    ]);
  });
});

test('names a dependency that is not installed', async () => {
  await withRepository(async (root) => {
    writeFileSync(join(root, 'app/package.json'), '{ "dependencies": { "absent": "1" } }');
    expect(() => reachedPackages({ root, from: 'app' })).toThrow(
      'absent, which app depends on, is not installed.',
    );
  });
});

test('takes the files of a package that a process on Linux with an x64 processor can use', async () => {
  const files = [
    ['node_modules/onnxruntime-node/bin/napi-v6/linux', true],
    ['node_modules/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1', true],
    ['node_modules/onnxruntime-node/bin/napi-v6/linux/arm64', false],
    ['node_modules/onnxruntime-node/bin/napi-v6/darwin', false],
    ['node_modules/@opentelemetry/api/build/esm', false],
    ['node_modules/@opentelemetry/api/build/src/index.js', true],
    ['node_modules/other/build/esm', true],
    ['node_modules/pino/test/basic.test.js', false],
    ['node_modules/@scope/x/examples/server.js', false],
    ['node_modules/x/lib/test/is-odd.js', true],
    ['node_modules/test/index.js', true],
    ['node_modules/bare-fs/prebuilds/linux-x64/bare-fs.bare', false],
    ['node_modules/x/x.musl.node', false],
    ['node_modules/x/x.glibc.node', true],
    ['gateway/dist/.tsbuildinfo', false],
    ['node_modules/x/index.d.mts', false],
    ['node_modules/x/NOTICE.md', true],
    ['node_modules/x/tsconfig.json', true],
  ] as const;
  const target = { platform: 'linux', arch: 'x64' };
  expect(files.map(([path]) => [path, isNeeded(path, target)])).toEqual(files);
});

test("copies a tier's own files without source maps, types and texts", async () => {
  await withRepository(async (root) => {
    const dist = join(root, 'app/dist');
    mkdirSync(dist);
    for (const name of ['main.js', 'main.js.map', 'main.d.ts', 'README.md'])
      writeFileSync(join(dist, name), '');
    const to = join(root, 'image');
    copyFiles({ root, to, paths: ['app/package.json', 'app/dist'] });
    expect(readdirSync(join(to, 'app'), { recursive: true }).sort()).toEqual([
      'dist',
      'dist/main.js',
      'package.json',
    ]);
  });
});
