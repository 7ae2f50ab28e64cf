// `npm run test:web`: the checks of the site that take too long for every run of the tests.
const base = require('./jest.config.js');

const web = base.projects.find(({ displayName }) => displayName === 'web');

module.exports = {
  ...base,
  projects: [{ ...web, displayName: 'web-checks', testMatch: ['<rootDir>/**/*.check.ts'] }],
};
