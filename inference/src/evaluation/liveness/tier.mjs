/** The built inference tier alone, with a client. */
import { availableParallelism } from 'node:os';
import { startInference } from '../../../../gateway/harness/index.mjs';
import { Client } from './tier-client.mjs';

/**
 * Runs `use` on a tier, by default with one worker per core, and stops the tier afterward.
 * @template T
 * @param {(tier: { client: Client, readyLine: string }) => Promise<T>} use
 * @param {{ workers?: number }} [options]
 * @returns {Promise<T>}
 */
export async function withTier(use, { workers = availableParallelism() } = {}) {
  const tier = await startInference({ INFERENCE_WORKERS: String(workers) });
  const client = new Client(tier.url);
  try {
    return await use({ client, readyLine: tier.readyLine });
  } finally {
    client.close();
    await tier.stop();
  }
}
