/** The build and the settings that decide a result. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../../gateway/harness/cli/paths.mjs';
import { describeCommit } from './circumstances.mjs';
import { rulesHash } from './product.mjs';

const readJson = (/** @type {string} */ file) => JSON.parse(readFileSync(file, 'utf8'));

/**
 * @param {string} readyLine the line in which the tier reports that it is ready
 * @param {import('./types').Conditions['policy']} policy
 * @returns {import('./types').Conditions}
 */
export function conditionsOf(readyLine, policy) {
  const { device, precision } = JSON.parse(readyLine);
  const chosenModels = (process.env.INFERENCE_MODELS ?? '').split(',').filter((choice) => choice !== '');
  return {
    version: readJson(join(ROOT, 'package.json')).version,
    commit: describeCommit(),
    rules: rulesHash(),
    models: {
      ...readJson(join(ROOT, 'inference/src/serving/default-models.json')),
      ...Object.fromEntries(chosenModels.map((choice) => choice.split('='))),
    },
    device: String(device),
    precision: String(precision),
    policy,
  };
}
