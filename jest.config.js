// Jest for every workspace: a project each, TypeScript and ES modules through swc. The variable SUITE selects the tests:
//
//   (unset)    every test; for `npx jest` with a path
//   quick      `npm test`: all except `*.slow.test.ts`
//   slow       `*.slow.test.ts`, whose first comment says why it is slow, except for the suite `alone`
//   alone      tests that need the processors for themselves
//   unit       `npm run test:unit`: tests that load no browser, model, Redis or process
//   web, liveness, browsers, gpu    `npm run test:web` and so on: `*.check.ts`, too slow for every change
const { join, sep } = require('node:path');

const swc = ['@swc/jest', { jsc: { target: 'es2022', transform: { react: { runtime: 'automatic' } } } }];

const SUITE = process.env.SUITE || 'all';
const TESTS = '**/*.test.{ts,tsx}';
const SLOW = '**/*.slow.test.{ts,tsx}';

/** A rendered stand-in in front of a real service, frame by frame: beside other tests its camera has too few frames. */
const ALONE = 'test/liveness/verification.slow.test.ts';

const project = (name, extra = {}) => ({
  displayName: name,
  rootDir: join(__dirname, name),
  testEnvironment: 'node',
  modulePathIgnorePatterns: [
    '<rootDir>/dist/',
    '<rootDir>/.cache/',
    '<rootDir>/public/',
    '/clients/\\w+/build/',
  ],
  transform: { '\\.(tsx?|mjs)$': swc },
  ...extra,
});

/** Packages that are ES modules, which Jest loads only through its transform. */
const modules = (...names) => ({
  transform: { '\\.(tsx?|mjs)$': swc, [`/node_modules/(${names.join('|')})/`]: swc },
  transformIgnorePatterns: [`/node_modules/(?!(${names.join('|')})/)`],
});
/** Packages for the codes of authenticator apps. */
const codes = ['@scure/base', '@noble/hashes'];

/** Starts one inference tier per run, even if several projects name it. */
const sharedTier = {
  globalSetup: join(__dirname, 'gateway/test/tier.setup.ts'),
  globalTeardown: join(__dirname, 'gateway/test/tier.teardown.ts'),
};

const contract = project('gateway/contract');
const gateway = project('gateway', {
  ...modules(...codes),
  ...sharedTier,
  testPathIgnorePatterns: ['<rootDir>/contract/', '<rootDir>/harness/'],
});
const inference = project('inference', {
  testEnvironment: '<rootDir>/test/environment.js',
  moduleNameMapper: { '^onnxruntime-node$': '<rootDir>/test/onnxruntime.js' },
});
const web = project('web', {
  ...modules(...codes, 'stemmer'),
  ...sharedTier,
  testEnvironment: '<rootDir>/test/environment.js',
});
const benchmarks = project('benchmarks');
const others = ['gateway/harness', 'deploy', '.ci'].map((name) => project(name));
const projects = [contract, gateway, inference, web, benchmarks, ...others];

/** Sets the patterns of a project's tests, relative to its folder. Jest does not replace `<rootDir>` behind a `!`. */
const matching =
  (pattern, ...excluded) =>
  ({ rootDir, ...rest }) => ({
    ...rest,
    rootDir,
    testMatch: [join(rootDir, pattern), ...excluded.map((each) => `!${join(rootDir, each)}`)],
  });

const SUITES = {
  all: () => projects.map(matching(TESTS)),
  quick: () => projects.map(matching(TESTS, SLOW)),
  slow: () => projects.map(matching(SLOW, ALONE)),
  alone: () => [gateway].map(matching(ALONE)),
  unit: selectUnits,
  web: () => [web].map(matching('**/*.check.ts')),
  liveness: () => [gateway].map(matching('test/liveness/*.check.ts')),
  browsers: () => [gateway].map(matching('test/**/browsers/*.check.ts')),
  gpu: () => [
    {
      ...inference,
      testMatch: ['<rootDir>/src/backends/conformance.test.ts', '<rootDir>/test/gpu/*.check.ts'],
      globalSetup: '<rootDir>/test/gpu/vulkan.setup.ts',
    },
  ],
};

/**
 * .ci/structure/unit-tests.mjs selects the tests by their imports. A test that loads a resource in another way fails,
 * because the packages that start one are mapped to a module that throws.
 */
async function selectUnits() {
  const { RESOURCES, selectUnitTests } = await import('./.ci/structure/unit-tests.mjs');
  const units = selectUnitTests(__dirname).filter((file) => !file.includes('.slow.'));
  const moduleNameMapper = { [RESOURCES.source]: join(__dirname, '.ci/structure/refused-module.js') };
  return projects.flatMap(({ testPathIgnorePatterns, globalSetup, globalTeardown, ...each }) => {
    const testMatch = units.filter((file) => innermostProject(file)?.rootDir === each.rootDir);
    return testMatch.length === 0 ? [] : [{ ...each, testEnvironment: 'node', testMatch, moduleNameMapper }];
  });
}

/** The folder of the contract is inside that of the gateway. @param {string} file */
const innermostProject = (file) =>
  projects
    .filter(({ rootDir }) => file.startsWith(rootDir + sep))
    .sort((a, b) => b.rootDir.length - a.rootDir.length)[0];

module.exports = async () => ({
  projects: await SUITES[SUITE](),
  testSequencer: join(__dirname, '.ci/structure/test-order.js'),
  // Ends a test that hangs. No test takes this long, even on a machine under load; waits inside it say what they wait for.
  testTimeout: 600_000,
});
