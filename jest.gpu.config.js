// `npm run test:gpu`: every backend on every device of this machine, and the tier on WebGPU. A machine without a WebGPU
// device uses a software device, which takes about ten minutes.
const base = require('./jest.config.js');

const inference = base.projects.find(({ displayName }) => displayName === 'inference');

module.exports = {
  ...base,
  projects: [
    {
      ...inference,
      displayName: 'gpu-checks',
      testMatch: ['<rootDir>/src/backends/conformance.test.ts', '<rootDir>/test/gpu/*.check.ts'],
      globalSetup: '<rootDir>/test/gpu/vulkan.setup.ts',
    },
  ],
};
