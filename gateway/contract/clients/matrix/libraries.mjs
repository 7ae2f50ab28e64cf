// Tests of the libraries in the folders beside this one, against the service.

import { join } from 'node:path';
import { SAMPLE_PHOTO } from '../../../../deploy/local/cli/paths.mjs';
import { MATRIX } from './tools.mjs';

/** @type {readonly import('./checks.mjs').Check[]} */
export const LIBRARIES = ['go', 'java'].map((language) => ({
  name: `library-${language}`,
  command: ({ url, apiKey }) => [
    process.execPath,
    [join(MATRIX, '..', language, 'test.mjs')],
    { env: { API_URL: url, API_KEY: apiKey, IMAGE: SAMPLE_PHOTO } },
  ],
}));
