/**
 * Does the whole way work under a little load? One client, ten seconds, every operation, every answer checked. Runs by
 * itself against a service that is up (`npm run smoke -w benchmarks`), and as the first part of `npm run load`.
 */
import type { Options } from 'k6/options';
import { dataUri } from '../../gateway/contract/client/index.ts';
import { p95TargetsMs } from '../lib/targets.mjs';
import { ask, clientOf } from './lib/ask.ts';

const run = __ENV.SETTINGS_FILE ? JSON.parse(open(__ENV.SETTINGS_FILE)) : undefined;

export const options: Options = {
  vus: 1,
  duration: `${run?.seconds ?? 10}s`,
  thresholds: {
    // Without an answer there is no check, and no check at all would pass.
    checks: ['rate==1'],
    right_answers: ['count>0'],
    ...Object.fromEntries(
      Object.entries(p95TargetsMs).map(([operation, ms]) => [
        `answer_ms{operation:${operation}}`,
        [`p(95)<${ms}`],
      ]),
    ),
  },
};

const client = clientOf(
  run?.gatewayUrl ?? (__ENV.GATEWAY_URL || 'http://127.0.0.1:8080'),
  run?.apiKeys.account1 ?? __ENV.API_KEY ?? '',
);
const photo = open(import.meta.resolve('../../node_modules/@vladmandic/face-api/demo/sample4.jpg'), 'b');
/** Four people. */
const image = dataUri(new Uint8Array(photo));

export default async function () {
  const answers = [
    await ask('health', client.health(), ({ success }) => success),
    await ask('detect', client.detect({ image }), ({ data }) => data.faceCount === 4),
    await ask('moderate', client.moderate({ image }), ({ data }) => data.detectedElements.length === 0),
    await ask(
      'compare',
      client.compare({ sourceImage: image, targetImage: image }),
      // The largest face is found again, and nobody else is taken for it.
      ({ data }) => data.matchedFaces.length === 1 && data.unmatchedFaces.length === 3,
    ),
  ];
  for (const { outcome, code } of answers) if (outcome !== 'ok') console.error(code || 'another result');
}
