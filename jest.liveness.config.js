// `npm run test:liveness`: people, attacks and killed parts in real time, which take too long for every run of the tests.
const { projects } = require('./jest.config.js');

const gateway = projects.find(({ displayName }) => displayName === 'gateway');

module.exports = {
  projects: [
    { ...gateway, displayName: 'liveness-checks', testMatch: ['<rootDir>/test/liveness/*.check.ts'] },
  ],
  testTimeout: 180_000,
};
