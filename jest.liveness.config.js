// `npm run test:liveness`: rendered stand-ins, attacks and killed processes in real time, too slow for `npm test`.
const base = require('./jest.config.js');

const gateway = base.projects.find(({ displayName }) => displayName === 'gateway');

module.exports = {
  ...base,
  projects: [
    { ...gateway, displayName: 'liveness-checks', testMatch: ['<rootDir>/test/liveness/*.check.ts'] },
  ],
};
