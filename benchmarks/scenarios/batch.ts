/**
 * Clients that send full batches one after the other, and one that asks about single pictures beside them: how many
 * pictures a second do batches carry, and does the single one still get its answers in time?
 */
import type { Options } from 'k6/options';
import { p95TargetsMs } from '../lib/targets.mjs';
import { ask, clientOf } from './lib/ask.ts';
import { detect } from './lib/detect.ts';
import { allRight, systemTags } from './lib/load.ts';
import { pictures } from './lib/pictures.ts';
import { settings } from './lib/settings.ts';

const { clients, seconds, batchSize } = settings;

export const options: Options = {
  systemTags,
  scenarios: {
    batches: {
      executor: 'constant-vus',
      exec: 'batch',
      vus: clients,
      duration: `${seconds}s`,
      gracefulStop: '60s',
    },
    singles: {
      executor: 'constant-arrival-rate',
      exec: 'single',
      rate: 2,
      duration: `${seconds}s`,
      preAllocatedVUs: 20,
      gracefulStop: '20s',
    },
  },
  thresholds: {
    ...allRight,
    'answer_ms{operation:detect,outcome:ok}': [`p(95)<${p95TargetsMs.detect}`],
  },
};

const bulk = clientOf(settings.gatewayUrl, settings.apiKeys.bulk);
const interactive = clientOf(settings.gatewayUrl, settings.apiKeys.single);

export async function batch() {
  const chosen = Array.from({ length: batchSize }, (_, i) => pictures[i % pictures.length]);
  const operations = chosen.map(({ image }) => ({ operation: 'detect' as const, body: { image } }));
  await ask('batch', bulk.batch({ operations }), ({ data: { results } }) => {
    const rightOnes = results.filter(
      (one) => one.operation === 'detect' && one.success && one.data.faceCount === chosen[one.index].faces,
    );
    return rightOnes.length === batchSize;
  });
}

export async function single() {
  await detect(interactive);
}
