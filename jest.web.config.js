// `npm run test:web`: the checks of the site that take too long for every run of the tests.
const { projects } = require('./jest.config.js');

const web = projects.find(({ displayName }) => displayName === 'web');

module.exports = {
  projects: [{ ...web, displayName: 'web-checks', testMatch: ['<rootDir>/**/*.check.ts'] }],
  testTimeout: 180_000,
};
