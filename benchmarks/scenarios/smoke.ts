/** Does the whole way work under a little load? One client, ten seconds, every answer checked. */
import { check } from 'k6';
import http from 'k6/http';
import type { Options } from 'k6/options';
// k6 resolves no package names.
import { createClient, dataUri, type PresenzaError } from '../../gateway/contract/client/index.ts';
import { k6Transport } from '../../gateway/contract/client/k6-transport.ts';

export const options: Options = {
  vus: 1,
  duration: '10s',
  thresholds: {
    checks: ['rate==1'],
    // The specification's target for detection.
    http_req_duration: ['p(95)<1000'],
  },
};

const client = createClient({
  baseUrl: __ENV.GATEWAY_URL || 'http://127.0.0.1:8080',
  apiKey: __ENV.API_KEY ?? '',
  transport: k6Transport(http),
  // A retry would hide what the script is there to see.
  retries: 0,
});
const photo = open('../../node_modules/@vladmandic/face-api/demo/sample4.jpg', 'b');
const image = dataUri(new Uint8Array(photo));

export default async function () {
  // A rejected iteration would run no check at all, and no check at all passes the threshold.
  const outcome = await client.detect({ image }).then(
    ({ data }) => data.faceCount,
    (error: PresenzaError) => error.code,
  );
  check(outcome, { 'four faces': (seen) => seen === 4 });
  if (typeof outcome === 'string') console.error(outcome);
}
