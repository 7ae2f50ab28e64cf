// Tests of the libraries in the folders beside this one, against the service.

import { join } from 'node:path';
import { SAMPLE_PHOTO } from '../../../harness/cli/paths.mjs';
import { MATRIX, OPENAPI_GENERATOR } from './tools.mjs';

/** @param {string} language @param {...string} options @returns {import('./checks.mjs').Check} */
const library = (language, ...options) => ({
  name: `library-${language}`,
  command: ({ url, apiKey }) => [
    process.execPath,
    [join(MATRIX, '..', language, 'test.mjs'), ...options],
    { env: { API_URL: url, API_KEY: apiKey, IMAGE: SAMPLE_PHOTO } },
  ],
});

export const LIBRARIES = [
  library('typescript'),
  library('python', OPENAPI_GENERATOR),
  library('go'),
  library('java'),
];
