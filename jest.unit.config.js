// `npm run test:unit`: the inner loop. It needs no browser, model, Redis, process or build. deploy/checks/unit-tests.mjs
// selects the tests by their imports. A test that loads a resource in another way fails, because the packages that
// start one are mapped to a module that throws.
const { join, sep } = require('node:path');
const base = require('./jest.config.js');

const projects = base.projects.filter(({ displayName }) => displayName !== 'live');

/** The innermost project of a file, since the folder of the contract is in that of the gateway. */
const projectOf = (file) =>
  projects
    .filter(({ rootDir }) => file.startsWith(rootDir + sep))
    .sort((a, b) => b.rootDir.length - a.rootDir.length)[0];

module.exports = async () => {
  const { RESOURCES, selectUnitTests } = await import('./deploy/checks/unit-tests.mjs');
  const units = selectUnitTests(__dirname);
  const moduleNameMapper = { [RESOURCES.source]: join(__dirname, 'jest.unit.guard.js') };
  return {
    ...base,
    projects: projects.flatMap(({ testPathIgnorePatterns, ...project }) => {
      const testMatch = units.filter((file) => projectOf(file)?.rootDir === project.rootDir);
      if (testMatch.length === 0) return [];
      return { ...project, testEnvironment: 'node', testMatch, moduleNameMapper };
    }),
  };
};
