/**
 * Small requests at a constant rate, begun on time whatever the answers do. What counts is each answer's time less what
 * the stand-in for the inference tier took for it, which it tells in seconds as the confidence of the face.
 * Run by the measurement `gateway/latency`.
 */
import { check } from 'k6';
import http from 'k6/http';
import { Trend } from 'k6/metrics';
import type { Options } from 'k6/options';

export const options: Options = {
  scenarios: {
    steady: {
      executor: 'constant-arrival-rate',
      rate: Number(__ENV.PER_SECOND),
      timeUnit: '1s',
      duration: `${__ENV.SECONDS}s`,
      preAllocatedVUs: 32,
      maxVUs: 128,
    },
  },
  thresholds: { checks: ['rate==1'] },
  summaryTrendStats: ['avg', 'min', 'med', 'p(95)', 'p(99)', 'max'],
};

const added = new Trend('added_ms', true);
const headers = { Authorization: __ENV.AUTHORIZATION ?? '', 'Content-Type': 'application/json' };
const body = open(__ENV.BODY_FILE ?? '');

export default function () {
  const answer = http.post(`${__ENV.GATEWAY_URL}/detect`, body, { headers });
  if (!check(answer, { 'status is 200': ({ status }) => status === 200 })) return;
  added.add(answer.timings.duration - 1e3 * Number(answer.json('data.faces.0.confidence')));
}

/** What the measurement reads. */
export function handleSummary(data: object) {
  return { [__ENV.SUMMARY_FILE ?? 'stdout']: JSON.stringify(data) };
}
