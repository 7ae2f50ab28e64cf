/** The built inference tier alone, with a client of its wire protocol. */
import { availableParallelism } from 'node:os';
import { canWatchProcesses, startInference } from '../../gateway/harness/index.mjs';
import { Client } from './client.mjs';
import { INFERENCE_MAIN } from './paths.mjs';
import { Skip } from './skip.mjs';

/**
 * Conditions of a measurement that can run with an operator's own models: `--models=thorough=yunet --folder=/srv/models`.
 */
export const ownModels = { models: '', folder: '' };

/** The variables of a tier for such conditions. @param {{ models: string, folder: string }} conditions */
export const modelsEnv = ({ models, folder }) => ({
  ...(models && { INFERENCE_MODELS: models }),
  ...(folder && { MODELS_FOLDER: folder }),
});

/** The part of a summary that keeps such results apart. @param {{ models: string }} conditions */
export const modelsVariant = ({ models }) => (models ? { variant: models.replaceAll(/[^\w-]/g, '-') } : {});

/** @throws Skip where processes cannot be watched from outside */
export function needProc() {
  if (!canWatchProcesses()) throw new Skip('This system has no /proc, through which processes are watched.');
}

/**
 * Runs `use` on a tier with one worker per core, and stops the tier afterward.
 * @template T
 * @param {(tier: import('../../gateway/harness/index.mjs').RunningInference & { client: Client }) => Promise<T>} use
 * @param {{ env?: Record<string, string>, nodeOptions?: readonly string[], workers?: number }} [options]
 * @returns {Promise<T>}
 */
export async function withTier(use, { env = {}, nodeOptions = [], workers = availableParallelism() } = {}) {
  const tier = await startInference(
    { INFERENCE_WORKERS: String(workers), ...env },
    { nodeOptions, main: INFERENCE_MAIN },
  );
  const client = new Client(tier.url);
  try {
    return await use(Object.assign(tier, { client }));
  } finally {
    client.close();
    await tier.stop();
  }
}
