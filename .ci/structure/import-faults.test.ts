import { findImportFaults } from './import-faults.mjs';

it('accepts imports that the list of modules allows, packages, and any import of a test', () => {
  const imports = [
    { from: 'gateway/src/app.ts', to: 'gateway/contract/errors.json' },
    { from: 'gateway/src/app.ts', to: 'express' },
    { from: 'gateway/test/app.test.ts', to: 'web/test/chromium.ts' },
  ];
  expect(findImportFaults(imports)).toEqual([]);
});

it('refuses an import between modules that is not listed', () => {
  const imports = [{ from: 'gateway/src/app.ts', to: 'web/serve.mjs' }];
  expect(findImportFaults(imports)).toEqual([
    'gateway/src/app.ts imports web/serve.mjs, which modules.mjs does not list for gateway.',
  ]);
});

it('refuses imports of a folder without a module, but not of a file at the root', () => {
  const imports = [
    { from: 'scripts/measure.mjs', to: 'inference/dist/main.js' },
    { from: 'jest.config.js', to: '.ci/structure/unit-tests.mjs' },
  ];
  expect(findImportFaults(imports)).toEqual([
    'scripts/measure.mjs imports inference/dist/main.js, but its folder is in no module of modules.mjs.',
  ]);
});

it.each([
  ['deploy/kubernetes/test/load.test.ts', 'benchmarks/lib/random.mjs'],
  ['benchmarks/capacity/pods.test.ts', 'deploy/kubernetes/build.mjs'],
  ['web/src/components/button.tsx', 'web/src/features/search/index.tsx'],
  ['gateway/src/config/index.ts', 'gateway/src/services/keys/keys.ts'],
  ['gateway/src/admin/operation.ts', 'ioredis'],
])('refuses that %s imports %s', (from, to) => {
  expect(findImportFaults([{ from, to }])).toContainEqual(expect.stringContaining(`${from} imports ${to}`));
});

it('refuses folders and modules that import each other through others', () => {
  const imports = [
    { from: 'web/src/a/x.ts', to: 'web/src/b/x.ts' },
    { from: 'web/src/b/x.ts', to: 'web/src/c/x.ts' },
    { from: 'web/src/c/y.ts', to: 'web/src/a/y.ts' },
  ];
  expect(findImportFaults(imports)).toEqual([
    [
      'These folders import each other: web/src/a, web/src/b, web/src/c',
      '  web/src/a/x.ts -> web/src/b/x.ts',
      '  web/src/b/x.ts -> web/src/c/x.ts',
      '  web/src/c/y.ts -> web/src/a/y.ts',
    ].join('\n'),
  ]);
});
