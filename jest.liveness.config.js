// `npm run test:liveness`: people, attacks and killed parts in real time, which take too long for every run of the tests.
const base = require('./jest.config.js');

const gateway = base.projects.find(({ displayName }) => displayName === 'gateway');

module.exports = {
  ...base,
  projects: [
    { ...gateway, displayName: 'liveness-checks', testMatch: ['<rootDir>/test/liveness/*.check.ts'] },
  ],
};
