// Checks of the served document, and of the service against it.

import { join } from 'node:path';
import { JEST, ROOT } from '../../../harness/cli/paths.mjs';
import { MATRIX, npmProgram, python, WORK } from './tools.mjs';

/** @typedef {{ url: string, apiKey: string, document: string }} Api */

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {(api: Api) => Parameters<typeof import('../../../harness/index.mjs').runToEnd>} command
 */

/** @type {readonly Check[]} */
export const CHECKS = [
  {
    name: 'stripe',
    command: () => [
      process.execPath,
      [JEST, '--selectProjects=gateway', '--testPathPatterns=console/stripe'],
      { cwd: ROOT },
    ],
  },
  {
    name: 'spectral',
    command: ({ document }) => [
      npmProgram('spectral'),
      ['lint', document, `--ruleset=${join(MATRIX, 'spectral.yaml')}`, '--fail-severity=hint'],
    ],
  },
  {
    name: 'schemathesis',
    command: ({ url, apiKey, document }) => [
      python('schemathesis'),
      [`--config-file=${join(MATRIX, 'schemathesis.toml')}`, 'run', document, `--url=${url}`],
      { cwd: WORK, env: { API_KEY: apiKey, PYTHONPATH: MATRIX } },
    ],
  },
];
