// Tests of the libraries in the folders beside this one, against the service.

import { join } from 'node:path';
import { SAMPLE_PHOTO } from '../../../harness/cli/paths.mjs';
import { MATRIX } from './tools.mjs';

/** @param {string} language @returns {import('./checks.mjs').Check} */
const library = (language) => ({
  name: `library-${language}`,
  command: ({ url, apiKey }) => [
    process.execPath,
    [join(MATRIX, '..', language, 'test.mjs')],
    { env: { API_URL: url, API_KEY: apiKey, IMAGE: SAMPLE_PHOTO } },
  ],
});

export const LIBRARIES = ['typescript', 'python', 'go', 'java'].map(library);
