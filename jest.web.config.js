// `npm run test:web`: checks of the site that are too slow for `npm test`.
const base = require('./jest.config.js');

const web = base.projects.find(({ displayName }) => displayName === 'web');

module.exports = {
  ...base,
  projects: [{ ...web, displayName: 'web-checks', testMatch: ['<rootDir>/**/*.check.ts'] }],
};
