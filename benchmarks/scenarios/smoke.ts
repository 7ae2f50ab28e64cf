/** Does the whole way work under a little load? One client, ten seconds, every answer checked. */
import { check } from 'k6';
import encoding from 'k6/encoding';
import http from 'k6/http';
import type { Options } from 'k6/options';

export const options: Options = {
  vus: 1,
  duration: '10s',
  thresholds: {
    checks: ['rate==1'],
    // The specification's target for detection.
    http_req_duration: ['p(95)<1000'],
  },
};

const url = __ENV.GATEWAY_URL || 'http://127.0.0.1:8080';
const headers = { Authorization: `Bearer ${__ENV.API_KEY}`, 'Content-Type': 'application/json' };
const photo = open('../../node_modules/@vladmandic/face-api/demo/sample4.jpg', 'b');
const body = JSON.stringify({ image: `data:image/jpeg;base64,${encoding.b64encode(photo)}` });

export default function () {
  const response = http.post(`${url}/detect`, body, { headers });
  check(response, {
    'status is 200': ({ status }) => status === 200,
    'four faces': (answer) => answer.json('data.faceCount') === 4,
  });
}
