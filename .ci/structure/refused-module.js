// Stands for every module that a unit test must not load (jest.config.js).
throw new Error(
  'A unit test must not load models, Redis, a browser or a process. Move the test to a `test` folder, or import the module ' +
    'statically, so that it runs with `npm test` only.',
);
