import { readPoints } from './k6.mjs';

const point = (metric: string, value: number, tags: object, time = '2026-01-01T00:00:01.000000000Z') =>
  JSON.stringify({ metric, type: 'Point', data: { time, value, tags } });

test("reads k6's points: responses by their begin, refusals, dropped and cut-off requests, failed checks", async () => {
  const request = { scenario: 's', operation: 'detect' };
  const lines = [
    JSON.stringify({ type: 'Metric', data: { name: 'response_ms', type: 'trend' }, metric: 'response_ms' }),
    point('response_ms', 250, { ...request, outcome: 'ok', image: '12 MP' }),
    point('response_ms', 900.5, { ...request, outcome: 'refused', code: 'RATE_LIMIT_EXCEEDED' }),
    point('http_req_duration', 5, { scenario: 's' }),
    ...['s', 's', 's', 't'].map((scenario) => point('started', 1, { scenario, operation: 'detect' })),
    point('retry_after_seconds', 3, { code: 'RATE_LIMIT_EXCEEDED' }),
    point('dropped_iterations', 2, { scenario: 's' }),
    point('dropped_iterations', 1, { scenario: 's' }),
    point('checks', 1, { check: 'a' }),
    point('checks', 0, { check: 'b' }),
  ];
  const second = Date.parse('2026-01-01T00:00:01Z');
  const refused = { ...request, outcome: 'refused', code: 'RATE_LIMIT_EXCEEDED', image: '' };
  const served = { ...request, outcome: 'ok', code: '', image: '12 MP' };
  expect(await readPoints(lines)).toEqual({
    responses: [
      { ...refused, beginMs: second - 900.5, endMs: second, tookMs: 900.5 },
      { ...served, beginMs: second - 250, endMs: second, tookMs: 250 },
    ],
    retryAfter: [{ code: 'RATE_LIMIT_EXCEEDED', seconds: 3 }],
    dropped: { s: [second, second, second] },
    cutOff: { s: 1, t: 1 },
    falseChecks: { b: 1 },
  });
});
