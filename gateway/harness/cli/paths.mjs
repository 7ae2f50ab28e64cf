// Paths of the repository, for every script in this folder.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository, without a trailing slash. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');

/** State of this checkout, independent of PRESENZA_DATA: two starts with two data folders still share one build. */
export const CHECKOUT_STATE = join(ROOT, '.data');

export const TYPESCRIPT = join(ROOT, 'node_modules/typescript/bin/tsc');
export const JEST = join(ROOT, 'node_modules/jest/bin/jest.js');
export const GATSBY = join(ROOT, 'node_modules/gatsby/cli.js');
export const ADMIN_CLI = join(ROOT, 'gateway/dist/admin/cli.js');
export const MODELS_CLI = join(ROOT, 'inference/dist/commands/cli.js');
export const EVALUATION_CLI = join(ROOT, 'inference/dist/evaluation/comparison/cli.js');
export const SAMPLE_PHOTO = join(ROOT, 'node_modules/@vladmandic/face-api/demo/sample4.jpg');
