// One Jest set-up for every workspace: a project per workspace, TypeScript and ES modules through swc.
const swc = ['@swc/jest', { jsc: { target: 'es2022', transform: { react: { runtime: 'automatic' } } } }];

const project = (name, extra = {}) => ({
  displayName: name,
  rootDir: `${__dirname}/${name}`,
  testEnvironment: 'node',
  testMatch: ['<rootDir>/**/*.test.{ts,tsx}'],
  modulePathIgnorePatterns: [
    '<rootDir>/dist/',
    '<rootDir>/.cache/',
    '<rootDir>/public/',
    '<rootDir>/clients/\\w+/build/',
  ],
  transform: {
    '\\.(tsx?|mjs)$': swc,
  },
  ...extra,
});

/** Packages that are ES modules, which Jest loads only through its transform. */
const modules = (...names) => ({
  transform: { '\\.(tsx?|mjs)$': swc, [`/node_modules/(${names.join('|')})/`]: swc },
  transformIgnorePatterns: [`/node_modules/(?!(${names.join('|')})/)`],
});
/** Of the codes of authenticator apps. */
const codes = ['@scure/base', '@noble/hashes'];

// A rendered stand-in in front of a real service, frame by frame. Beside other suites the camera has too low a frame
// rate, so this suite runs alone, after all others.
const live = ['<rootDir>/test/liveness/verification.test.ts'];

module.exports = {
  projects: [
    project('gateway/contract'),
    project('gateway', {
      ...modules(...codes),
      testPathIgnorePatterns: ['<rootDir>/contract/', ...live],
    }),
    { ...project('gateway', { ...modules(...codes), testMatch: live }), displayName: 'live' },
    project('inference', {
      testEnvironment: '<rootDir>/test/environment.js',
      moduleNameMapper: { '^onnxruntime-node$': '<rootDir>/test/onnxruntime.js' },
    }),
    project('web', { ...modules(...codes, 'stemmer'), testEnvironment: '<rootDir>/test/environment.js' }),
    // cspell:ignore internmap
    project('benchmarks', modules('d3-array', 'internmap')),
    project('deploy'),
  ],
  testSequencer: `${__dirname}/jest.order.js`,
  // Ends a hang. No test is this long, even on a machine under load; waits inside a test end earlier and say what for.
  testTimeout: 600_000,
};
